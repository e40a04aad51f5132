// Table rows for the export to Kubernetes: probes and ports.
import { tcpAddress, urlPort } from '../../streams/domain/service/port.ts';
import { type Check, isAwaited, type Probe } from '../../streams/domain/declared/health-check.ts';
import type { Plain, Translation } from '../key-table.ts';
import { heldPorts, isNumbered, probedPlace, probedText } from '../exported-probes.ts';
import { portName } from './kubernetes-names.ts';
import {
  type KubernetesContext,
  type KubernetesRow,
  labelsOf,
  shellCommand,
  wholeSeconds,
} from './kubernetes-context.ts';

const httpGet = (text: string): Plain => {
  const { protocol, hostname, port, pathname, search, username, password } = new URL(text);
  const { port: number, isLoopback } = urlPort(text) ?? { port: Number(port), isLoopback: false };
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return {
    path: `${pathname}${search}`,
    port: number,
    ...(!isLoopback && { host: hostname.replace(/^\[(.*)\]$/, '$1') }),
    ...(protocol === 'https:' && { scheme: 'HTTPS' }),
    ...(username !== '' && {
      httpHeaders: [{ name: 'Authorization', value: `Basic ${credentials.toString('base64')}` }],
    }),
  };
};

const tcpSocket = (text: string): Plain => {
  const { port, host, isLoopback } = tcpAddress(text) ?? { port: 0, host: '', isLoopback: true };
  return { port, ...(!isLoopback && { host }) };
};

/** Returns the handler for a probe, or the reason why Kubernetes has none. */
const handlerOf = (probe: Probe): { readonly handler: Plain } | { readonly lost: string } => {
  if (isNumbered(probe))
    return { lost: `a pod has no number for "${probedText(probe)}": let all instances use one port` };
  switch (probe.tag) {
    case 'command':
      return { handler: { exec: { command: shellCommand(probe.command) } } };
    case 'http':
      return { handler: { httpGet: httpGet(probe.url) } };
    case 'tcp':
      return { handler: { tcpSocket: tcpSocket(probe.tcp) } };
    case 'log':
      return { lost: 'a probe cannot wait for a line of output: use url, tcp or command' };
    case 'notify':
    case 'watchdog':
      return { lost: 'a pod has no NOTIFY_SOCKET: use url, tcp or command' };
  }
};

const ofPod = ({ tag }: Probe): Pick<Translation, 'changed'> =>
  tag === 'http' || tag === 'tcp'
    ? {
        changed:
          'the probe asks at the address of the pod: the service must listen there, not only on 127.0.0.1',
      }
    : {};

const probeOf = (handler: Plain, times: Readonly<Record<string, Plain>>): Plain => ({
  ...(handler as Readonly<Record<string, Plain>>),
  ...times,
});

/**
 * Returns how many probes in a row may fail during the start: enough for `total_timeout`, at least `retries`.
 */
const startFailures = ({ interval, totalTimeout, retries }: Check): number =>
  Math.max(retries, Math.ceil(totalTimeout / (wholeSeconds(interval) * 1000)));

/** Returns the pause between probes of a ready service; `undefined` if a ready service is not probed. */
const readyPause = (check: Check, hasLiveness: boolean): number | undefined => {
  if (check.afterReady === 'off') return undefined;
  return check.afterReady ?? (hasLiveness ? undefined : check.interval);
};

const readiness = ({ spec: { deployment } }: KubernetesContext): Translation => {
  const { healthCheck } = deployment;
  if (healthCheck === undefined) return {};
  const found = handlerOf(healthCheck.probe);
  if ('lost' in found) return found;
  const timeoutSeconds = wholeSeconds(healthCheck.attemptTimeout);
  const start = {
    periodSeconds: wholeSeconds(healthCheck.interval),
    timeoutSeconds,
    failureThreshold: startFailures(healthCheck),
  };
  const pause = readyPause(healthCheck, healthCheck.liveness !== undefined);
  const later = {
    periodSeconds: wholeSeconds(pause ?? 0),
    timeoutSeconds,
    failureThreshold: healthCheck.retries,
  };
  return {
    keys: {
      'container.startupProbe': probeOf(found.handler, start),
      ...(pause !== undefined && { 'container.readinessProbe': probeOf(found.handler, later) }),
    },
    ...ofPod(healthCheck.probe),
  };
};

/**
 * Returns the check for the livenessProbe: `liveness`, or else the health check itself. Without `liveness`,
 * `sup` restarts a ready service that fails its health check.
 */
const livenessCheck = ({ spec: { deployment } }: KubernetesContext): Check | undefined => {
  const { healthCheck } = deployment;
  if (healthCheck === undefined) return undefined;
  if (healthCheck.liveness !== undefined) return healthCheck.liveness;
  const pause = readyPause(healthCheck, false);
  if (pause === undefined || isAwaited(healthCheck)) return undefined;
  return { ...healthCheck, interval: pause as Check['interval'] };
};

const livenessProbe = (check: Check, { handler }: { readonly handler: Plain }): Translation => ({
  keys: {
    'container.livenessProbe': probeOf(handler, {
      periodSeconds: wholeSeconds(check.interval),
      timeoutSeconds: wholeSeconds(check.attemptTimeout),
      failureThreshold: check.retries,
    }),
  },
});

const liveness = (context: KubernetesContext): Translation => {
  const check = livenessCheck(context);
  if (check === undefined || check.onFailure === 'ignore') return {};
  if (check.onFailure === 'stop')
    return {
      lost: 'on_failure: stop: Kubernetes can only restart a container, so there is no livenessProbe',
    };
  const found = handlerOf(check.probe);
  const isOwn = context.has('deployment.health_check.liveness');
  if ('lost' in found) return isOwn ? found : {};
  return { ...livenessProbe(check, found), ...(isOwn && ofPod(check.probe)) };
};

/** Returns the port that a probe connects to, if it is a port of this machine. */
const probedPort = (probe: Probe): ReturnType<typeof heldPorts> => {
  const place = probedPlace(probe);
  return place?.isLoopback === true ? [{ name: probe.tag, port: place.port }] : [];
};

/**
 * Returns the ports of a service with unique names: those of its sockets, and those that its checks connect
 * to.
 */
const portsOf = ({ spec: { sockets = [], deployment } }: KubernetesContext): ReturnType<typeof heldPorts> => {
  const { healthCheck } = deployment;
  const probes = [healthCheck?.probe, healthCheck?.liveness?.probe].filter((probe) => probe !== undefined);
  const all = [...heldPorts(sockets), ...probes.flatMap(probedPort)];
  const taken = new Set<string>();
  return all
    .filter(({ port }, at) => all.findIndex((other) => other.port === port) === at)
    .map(({ name, port }) => {
      const wanted = portName(name, port);
      const free = taken.has(wanted) ? `port-${port}` : wanted;
      taken.add(free);
      return { name: free, port };
    });
};

const socketLosses = ({ spec: { sockets = [] } }: KubernetesContext): Translation => {
  const paths = sockets.flatMap(({ listen }) => (listen.tag === 'unix' ? [listen.path] : []));
  return {
    ...(sockets.length > paths.length && {
      changed: 'the service must open the port itself: no descriptor is passed to it (LISTEN_FDS)',
    }),
    ...(paths.length > 0 && { lost: `a Service has no Unix sockets, such as ${paths.join(', ')}` }),
  };
};

const ports = (context: KubernetesContext): Translation => {
  const found = portsOf(context);
  if (found.length === 0) return socketLosses(context);
  return {
    keys: {
      'container.ports': found.map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' })),
      'service.selector': labelsOf(context),
      'service.ports': found.map(({ name, port }) => ({ name, port, targetPort: name, protocol: 'TCP' })),
    },
    ...socketLosses(context),
  };
};

export const PROBE_ROWS: readonly KubernetesRow[] = [
  {
    theirs: 'containers[].ports, and a Service',
    ours: ['sockets'],
    note: 'TCP ports, and the port of a `url` or `tcp` check on this machine. The Service has the name of the service.',
    write: ports,
  },
  {
    theirs: 'containers[].startupProbe, readinessProbe',
    ours: ['deployment.health_check'],
    note: '`url` is `httpGet`, `tcp` is `tcpSocket`, `command` is `exec`; `log` and `notify` are lost. The startup probe runs every `interval`, until `retries` and `total_timeout` are used up. `start_interval` is not exported, because periods in Kubernetes are whole seconds. The readiness probe runs every `after_ready`, or every `interval`. An `httpGet` treats a redirect as a success.',
    write: readiness,
  },
  {
    theirs: 'containers[].livenessProbe',
    ours: ['deployment.health_check.liveness'],
    note: 'It is made from `liveness`, or else from the health check itself, because `sup` also restarts a ready service whose health check fails. With `on_failure: ignore` or `stop`, or `after_ready: off`, there is no liveness probe.',
    write: liveness,
  },
];
