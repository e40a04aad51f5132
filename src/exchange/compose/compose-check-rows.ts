// Table rows that translate the Compose keys `healthcheck` and `deploy` to keys of `sup`, and back.
import { CHECK_DEFAULTS, type HealthCheck } from '../../streams/domain/declared/health-check.ts';
import { shellWord } from '../../os/shell-word.ts';
import { countOf, hasCheck, restartKeys, timeOf } from './compose-life-rows.ts';
import { type ComposeService, onThisMachine, shellLineOf } from './compose-service.ts';
import { type ComposeRow, type ComposeTarget, withDollars } from './compose-target.ts';
import { durationTo, sizeTo } from './compose-values.ts';
import { isPlainMap, lost, unneeded, type Plain, type Translation } from '../key-table.ts';
import { literalText, durationText } from '../manifest-text.ts';
import { textOf, textsOf, isTrue, numberOf, translated, numberTo } from '../source-values.ts';

const CHECK = 'deployment.health_check';
const INTERVAL = 30_000;
const RETRIES = 3;

/** Returns the `test` of a health check as one line for `sh`, escaped for a manifest. */
const testLine = (test: Plain, service: ComposeService): string => {
  const [kind, ...words] = textsOf(test);
  if (typeof test === 'string') return shellLineOf(test, service);
  if (kind === 'CMD-SHELL') return shellLineOf(words.join(' '), service);
  return literalText(words.map((word) => shellWord(onThisMachine(word, service).text)).join(' '));
};

/**
 * Returns the key `total_timeout`: the time after which Compose gives up. This is `start_period`, and then
 * `retries` intervals.
 */
const totalTimeout = ({ own }: ComposeService): Translation => {
  const check = isPlainMap(own['healthcheck']) ? own['healthcheck'] : {};
  const checks = timeOf(check['interval'], INTERVAL) * countOf(check['retries'], RETRIES);
  const total = timeOf(check['start_period'], 0) + checks;
  return hasCheck(own) ? { keys: { [`${CHECK}.total_timeout`]: durationText(total) } } : {};
};

const ofCheck =
  (keys: Readonly<Record<string, Plain>>) =>
  ({ own }: ComposeService): Translation =>
    hasCheck(own) ? { keys } : {};

/** Returns the health check if Compose can run it. Compose cannot wait for output or for a notification. */
export const runnableCheck = ({ spec }: Pick<ComposeTarget, 'spec'>): HealthCheck | undefined => {
  const check = spec.deployment.healthCheck;
  return check !== undefined && /^(?:command|http|tcp)$/.test(check.probe.tag) ? check : undefined;
};

const intervalOf = ({ afterReady, interval }: HealthCheck): number =>
  afterReady === undefined || afterReady === 'off' ? interval : afterReady;

const testKey = (line: string): NonNullable<Translation['keys']> => ({
  'healthcheck.test': ['CMD-SHELL', withDollars(line)],
});

const tcpTest = (address: string): Translation => {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.*):)?(\d+)$/.exec(address) ?? [];
  return {
    keys: testKey(`nc -z ${shellWord(host)} ${port}`),
    changed: 'nc opens the port: the image must have it',
  };
};

/** Returns the key `healthcheck.test`: a line for `sh` in the container. */
const testKeys = ({ spec }: ComposeTarget): Translation => {
  const probe = spec.deployment.healthCheck?.probe;
  switch (probe?.tag) {
    case 'command':
      return { keys: testKey(probe.command) };
    case 'http':
      return {
        keys: testKey(`curl -fsS -o /dev/null ${shellWord(probe.url)}`),
        changed: 'curl asks the address: the image must have it',
      };
    case 'tcp':
      return tcpTest(probe.tcp);
    case undefined:
      return {};
    default:
      return { lost: 'Compose cannot wait for a line of output or a notification' };
  }
};

const writeOfCheck =
  (turn: (check: HealthCheck) => Translation) =>
  (target: ComposeTarget): Translation => {
    const check = runnableCheck(target);
    return check === undefined ? {} : turn(check);
  };

const CHECK_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'healthcheck.test',
    ours: ['command', 'url', 'tcp', 'log', 'notify'].map((key) => `${CHECK}.${key}`),
    note: 'A line for the shell. `url` needs `curl` in the image, `tcp` needs `nc`.',
    read: ({ value }, service) =>
      hasCheck(service.own) ? { keys: { [`${CHECK}.command`]: testLine(value, service) } } : {},
    write: testKeys,
  },
  {
    theirs: 'healthcheck.interval',
    ours: [`${CHECK}.interval`, `${CHECK}.after_ready`],
    note: 'The default of Compose is 30 s. `sup` probes a starting service sooner.',
    read: (setting, { own }) => (hasCheck(own) ? durationTo(`${CHECK}.interval`)(setting) : {}),
    absent: ofCheck({ [`${CHECK}.interval`]: '30s' }),
    write: writeOfCheck((check) => ({
      keys: { 'healthcheck.interval': durationText(intervalOf(check)) },
      ...(check.afterReady === 'off' && { changed: 'a ready container is probed too' }),
    })),
  },
  {
    theirs: 'healthcheck.timeout',
    ours: [`${CHECK}.attempt_timeout`],
    note: 'In both programs the default is 30 s.',
    read: (setting, { own }) => (hasCheck(own) ? durationTo(`${CHECK}.attempt_timeout`)(setting) : {}),
    write: writeOfCheck(({ attemptTimeout }) => ({
      keys: { 'healthcheck.timeout': durationText(attemptTimeout) },
    })),
  },
  {
    theirs: 'healthcheck.retries',
    ours: [`${CHECK}.retries`],
    note: 'In both programs the default is 3.',
    read: (setting, { own }) => (hasCheck(own) ? numberTo(`${CHECK}.retries`)(setting) : {}),
    write: writeOfCheck(({ retries }) => ({ keys: { 'healthcheck.retries': retries } })),
  },
  {
    theirs: 'healthcheck.start_period',
    ours: [`${CHECK}.total_timeout`, `${CHECK}.timeout`],
    note: '`total_timeout` is the sum of `start_period` and the time of all `retries`.',
    read: (_, service) => totalTimeout(service),
    absent: totalTimeout,
    write: writeOfCheck((check) => {
      const period = check.totalTimeout - intervalOf(check) * check.retries;
      return period > 0 ? { keys: { 'healthcheck.start_period': durationText(period) } } : {};
    }),
  },
  {
    theirs: 'healthcheck.start_interval',
    ours: [`${CHECK}.start_interval`],
    note: '`sup` doubles this interval from one probe to the next.',
    read: (setting, { own }) => (hasCheck(own) ? durationTo(`${CHECK}.start_interval`)(setting) : {}),
    write: writeOfCheck(({ startInterval }) =>
      startInterval === CHECK_DEFAULTS.startInterval
        ? {}
        : { keys: { 'healthcheck.start_interval': durationText(startInterval) } },
    ),
  },
  {
    theirs: 'healthcheck.disable',
    ours: [`${CHECK}.on_failure`],
    note: 'Compose only marks a container as unhealthy, so the manifest has `on_failure: ignore`. If you remove this line, `sup` restarts an unhealthy service.',
    read: ({ value }, { own }) =>
      isTrue(value) ? {} : ofCheck({ [`${CHECK}.on_failure`]: 'ignore' })({ own } as ComposeService),
    absent: ofCheck({ [`${CHECK}.on_failure`]: 'ignore' }),
    write: writeOfCheck(({ onFailure }) =>
      onFailure === 'ignore' ? {} : { changed: 'Compose marks it as unhealthy and does nothing else' },
    ),
  },
];

/** Translates the number of instances. A service with 0 instances is skipped. */
const replicas = ({ value }: { readonly value: Plain }): Translation =>
  numberOf(value) === 0 ? { keys: { skip: true } } : numberTo('replicas')({ value });

const DEPLOY_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'deploy.replicas',
    ours: ['replicas', 'skip'],
    note: '0 becomes `skip: true`. Instances can share a held socket, or can have ports that contain `{instance}`.',
    read: replicas,
    write: ({ replicas: count, spec: { skip } }) => {
      if (skip === true) return { keys: { 'deploy.replicas': 0 } };
      return {
        ...(count !== undefined && { keys: { 'deploy.replicas': count } }),
        ...(typeof skip === 'string' && { lost: 'Compose has no command that skips a service' }),
      };
    },
  },
  {
    theirs: 'deploy.mode',
    ours: [],
    read: ({ value }) =>
      value === 'replicated' ? {} : { lost: `${textOf(value)}: sup runs as many instances as replicas says` },
  },
  {
    theirs: 'deploy.update_config.order',
    ours: ['deployment.strategy'],
    note: '`start-first` corresponds to `rolling`, and `stop-first` corresponds to `immediate`.',
    read: translated(
      'deployment.strategy',
      (value) => (value === 'start-first' ? 'rolling' : value === 'stop-first' ? 'immediate' : undefined),
      'start-first or stop-first',
    ),
    write: ({ spec: { deployment } }) =>
      deployment.strategy === 'rolling' ? { keys: { 'deploy.update_config.order': 'start-first' } } : {},
  },
  {
    theirs: 'deploy.update_config.parallelism',
    ours: [],
    note: 'Instances are replaced one after another.',
    read: ({ value }) => (numberOf(value) === 1 ? {} : { lost: 'sup replaces one instance after another' }),
  },
  {
    theirs: 'deploy.update_config.delay',
    also: ['deploy.update_config.monitor', 'deploy.update_config.max_failure_ratio'],
    ours: [],
    read: lost('sup goes on as soon as the new instance is ready, and stops at the first failure'),
  },
  {
    theirs: 'deploy.update_config.failure_action',
    also: ['deploy.rollback_config'],
    ours: [],
    read: lost('if a new run fails, the old one goes on; sup rollback goes back by hand'),
  },
  {
    theirs: 'deploy.restart_policy.condition',
    ours: ['restart_policy'],
    read: ({ value }) => restartKeys(value),
    absent: ({ own }) =>
      isPlainMap(own['deploy']) && isPlainMap(own['deploy']['restart_policy']) ? restartKeys('any') : {},
  },
  { theirs: 'deploy.restart_policy.delay', ours: ['backoff'], read: durationTo('backoff') },
  { theirs: 'deploy.restart_policy.max_attempts', ours: ['max_restarts'], read: numberTo('max_restarts') },
  {
    theirs: 'deploy.restart_policy.window',
    ours: [],
    read: lost('restarts are counted until the service has been ready for 60 s'),
  },
  {
    theirs: 'deploy.resources.limits.memory',
    ours: ['limits.cgroup.memory_max'],
    note: 'Has an effect only with `--sys`.',
    read: sizeTo('limits.cgroup.memory_max'),
  },
  {
    theirs: 'deploy.resources.limits.cpus',
    ours: ['limits.cgroup.cpu_max'],
    note: 'Has an effect only with `--sys`. `cpus: 0.5` corresponds to `50000 100000`.',
    read: translated('limits.cgroup.cpu_max', (value) => cpuMax(numberOf(value)), 'a number'),
  },
  {
    theirs: 'deploy.resources.limits.pids',
    ours: ['limits.cgroup.pids_max'],
    note: 'Has an effect only with `--sys`.',
    read: numberTo('limits.cgroup.pids_max'),
  },
  {
    theirs: 'deploy.resources.reservations',
    ours: [],
    read: lost('nothing is reserved for a service: all of the machine is available'),
  },
  {
    theirs: 'deploy.placement',
    also: ['deploy.endpoint_mode'],
    ours: [],
    read: lost('there is one machine: nothing is placed'),
  },
  { theirs: 'deploy.labels', ours: [], note: 'Write a comment instead.', read: unneeded },
];

/** Returns `cpu_max` for a number of CPUs; `undefined` without a positive number. */
export const cpuMax = (cpus: number | undefined): string | undefined =>
  cpus === undefined || cpus <= 0 ? undefined : `${Math.round(cpus * 100_000)} 100000`;

export const CHECK_AND_DEPLOY_ROWS: readonly ComposeRow[] = [...CHECK_ROWS, ...DEPLOY_ROWS];
