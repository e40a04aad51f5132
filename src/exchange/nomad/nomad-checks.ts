// Table rows for the export to Nomad: health checks, ports and dependencies.
import { tcpAddress, urlPort } from '../../streams/domain/service/port.ts';
import type { Check, Probe } from '../../streams/domain/declared/health-check.ts';
import type { Plain, Translation } from '../key-table.ts';
import { heldPorts, isNumbered, probedPlace, probedText } from '../exported-probes.ts';
import { nanoseconds, type NomadContext, type NomadRow } from './nomad-context.ts';

type Keys = Readonly<Record<string, Plain>>;

/**
 * The part of a check that says what it connects to or runs. `port`: the port on this machine, if the check
 * connects to one.
 */
interface CheckParts {
  readonly type: 'http' | 'tcp' | 'script';
  readonly check: Keys;
  readonly port?: number;
}

const httpCheck = (url: string): CheckParts => {
  const { protocol, pathname, search } = new URL(url);
  const port = urlPort(url)?.port;
  return {
    type: 'http',
    check: { Protocol: protocol.slice(0, -1), Path: `${pathname}${search}` },
    ...(port !== undefined && { port }),
  };
};

const tcpCheck = (text: string): CheckParts => {
  const port = tcpAddress(text)?.port;
  return { type: 'tcp', check: {}, ...(port !== undefined && { port }) };
};

/** Returns the check for a probe, or the reason why Nomad has none. */
const checkPartsOf = (probe: Probe): CheckParts | string => {
  if (isNumbered(probe))
    return `an instance has no number for "${probedText(probe)}": let Nomad choose the port`;
  if (probedPlace(probe)?.isLoopback === false)
    return `a check asks only the service itself, not "${probedText(probe)}"`;
  switch (probe.tag) {
    case 'command':
      return { type: 'script', check: { Command: 'sh', Args: ['-c', probe.command] } };
    case 'http':
      return httpCheck(probe.url);
    case 'tcp':
      return tcpCheck(probe.tcp);
    case 'log':
      return 'a check cannot wait for a line of output: use url, tcp or command';
    case 'notify':
    case 'watchdog':
      return 'a task has no NOTIFY_SOCKET: use url, tcp or command';
  }
};

const SECOND = 1000;

const timesOf = ({ interval, attemptTimeout, retries, onFailure, totalTimeout }: Check): Keys => ({
  Interval: nanoseconds(Math.max(SECOND, interval)),
  Timeout: nanoseconds(Math.max(SECOND, attemptTimeout)),
  ...(onFailure === undefined && {
    CheckRestart: {
      Limit: retries,
      Grace: nanoseconds(Math.max(SECOND, totalTimeout)),
      IgnoreWarnings: false,
    },
  }),
});

/**
 * Returns the service of Nomad that has this check. A script needs the provider Consul, and a check over the
 * network needs a port.
 */
const serviceOf = (
  { jobId, spec }: NomadContext,
  check: Check,
  { type, check: keys, port }: CheckParts,
): Plain => ({
  Name: jobId,
  Provider: type === 'script' ? 'consul' : 'nomad',
  ...(port !== undefined && { PortLabel: String(port), AddressMode: 'host' }),
  Checks: [
    {
      Name: `${spec.name} ${type}`,
      Type: type,
      ...keys,
      ...(type === 'script' && { TaskName: spec.name }),
      ...timesOf(check),
    },
  ],
});

const checkRow =
  (pick: (context: NomadContext) => Check | undefined) =>
  (context: NomadContext): Translation => {
    const check = pick(context);
    if (check === undefined) return {};
    const found = checkPartsOf(check.probe);
    if (typeof found === 'string') return { lost: found };
    return {
      keys: { 'group.Services': [serviceOf(context, check, found)] },
      ...(check.onFailure === 'stop'
        ? { lost: 'on_failure: stop: a check can only restart a task, so this one does nothing' }
        : check.probe.tag === 'command' && { changed: 'only Consul runs a check by a command' }),
    };
  };

/**
 * Returns the ports of the service: those of its sockets, and those of its checks that connect to this
 * machine.
 */
const portsOf = ({ spec: { sockets = [], deployment } }: NomadContext): readonly number[] => {
  const { healthCheck } = deployment;
  const held = heldPorts(sockets).map(({ port }) => port);
  const probed = [healthCheck?.probe, healthCheck?.liveness?.probe].flatMap((probe) => {
    const found = probe === undefined ? '' : checkPartsOf(probe);
    return typeof found === 'string' || found.port === undefined ? [] : [found.port];
  });
  return [...new Set([...held, ...probed])];
};

const ports = (context: NomadContext): Translation => {
  const found = portsOf(context);
  const paths = (context.spec.sockets ?? []).filter(({ listen }) => listen.tag === 'unix');
  return {
    ...(found.length > 0 && {
      keys: {
        'group.Networks': [
          { Mode: 'host', ReservedPorts: found.map((port) => ({ Label: String(port), Value: port })) },
        ],
      },
    }),
    ...(context.has('sockets') && {
      changed: 'the service must open its sockets itself: no descriptor is passed to it (LISTEN_FDS)',
    }),
    ...(paths.length > 0 && { lost: 'a job has no Unix sockets' }),
  };
};

const dependencies = ({ spec: { dependsOn } }: NomadContext): Translation => {
  if (dependsOn.length === 0) return {};
  const names = dependsOn.map(({ service }) => service.split('/').at(-1)).join(', ');
  return { lost: `jobs do not wait for one another: the service has to try again until ${names} answers` };
};

export const NOMAD_CHECK_ROWS: readonly NomadRow[] = [
  {
    theirs: 'TaskGroups[].Networks',
    ours: ['sockets'],
    note: 'Reserved ports of the machine: the ports of TCP sockets, and of health checks on this machine.',
    write: ports,
  },
  {
    theirs: 'TaskGroups[].Services[].Checks',
    ours: ['deployment.health_check'],
    note: '`url` is `http`, `tcp` is `tcp`, `command` is `script`, which only Consul runs; `log` and `notify` are lost. Interval and timeout are at least a second. A failure restarts the task (`CheckRestart`), except with `on_failure`.',
    write: checkRow(({ spec: { deployment } }) => deployment.healthCheck),
  },
  {
    theirs: 'TaskGroups[].Services[].Checks',
    ours: ['deployment.health_check.liveness'],
    note: 'A second service with the same name.',
    write: checkRow(({ spec: { deployment } }) => deployment.healthCheck?.liveness),
  },
  {
    theirs: 'none',
    ours: ['depends_on'],
    note: 'Lost: each service is a job of its own, and jobs start independently.',
    write: dependencies,
  },
];
