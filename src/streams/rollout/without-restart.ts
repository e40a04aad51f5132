// Decides which changes of a declaration the current run can use. A change of a key that describes the
// process needs a new run. A change of a key about the supervision of the process does not
// (`docs/deployments.md`, "Keys taken up without a restart").
// Rules: `docs/behaviour.md`, "Restart by hand", "apply".
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { ChangedKey } from '../domain/apply-plan.ts';
import type { Service, ServiceState, Tag } from '../domain/service/service.ts';
import { UNPROBED } from '../domain/service/service-state.ts';
import { differenceOf } from './changed-keys.ts';
import { rollbackFactsAfter } from './rollback-spec.ts';

/** The keys that can change without a new run, like all keys below them. */
const LIVE_KEYS = [
  'alerts',
  'backoff',
  'cron',
  'depends_on',
  'deployment.blue_green.candidate_health_check',
  'deployment.blue_green.switch_command',
  'deployment.blue_green.switch_verify',
  'deployment.grace_period',
  'deployment.health_check',
  'deployment.pre_start',
  'deployment.strategy',
  'essential',
  'hooks',
  'logs.compress',
  'logs.max_age',
  'logs.max_bytes',
  'logs.max_files',
  'max_memory',
  'max_memory_for',
  'max_restarts',
  'reload',
  'restart_policy',
  'run_as',
  'spawn.limits',
  'stop_command',
  'stop_signal',
  'stop_timeout',
  'success_exit_codes',
  'watch',
] as const;

/**
 * Exceptions below `LIVE_KEYS`: these keys need a new run, because the environment of the process contains
 * their values.
 */
const OF_PROCESS: readonly string[] = [
  'deployment.health_check.notify',
  'deployment.health_check.liveness.watchdog',
];

const liveKeyOf = ({ key }: ChangedKey): string | undefined =>
  OF_PROCESS.includes(key) ? undefined : LIVE_KEYS.find((live) => key === live || key.startsWith(`${live}.`));

const isLive = (changed: ChangedKey): boolean => liveKeyOf(changed) !== undefined;

/**
 * Returns the names of the changed keys, each name once. A key below one of `LIVE_KEYS` gets the name of that
 * key, such as `deployment.health_check`.
 */
export const liveNames = (keys: readonly ChangedKey[]): readonly string[] => [
  ...new Set(keys.map((changed) => liveKeyOf(changed) ?? changed.key)),
];

/** Returns the changed keys. Each key that needs a new run has the mark `newRun`. */
export const changesOf = (before: ServiceSpec, after: ServiceSpec): readonly ChangedKey[] =>
  differenceOf(before, after).map((key) => (isLive(key) ? key : { ...key, newRun: true }));

/**
 * True if the change needs no new run. If the digests differ although no key differs, a new run is needed.
 */
export const isLiveChange = (before: ServiceSpec, after: ServiceSpec): boolean => {
  if (before.kind !== after.kind) return false;
  const keys = differenceOf(before, after);
  return keys.length > 0 && keys.every(isLive);
};

/** The states in which an apply need not start the service: it runs already, or its schedule starts it. */
const IN_FORCE: ReadonlySet<Tag> = new Set<Tag>(['starting', 'up', 'scheduled']);

/** True if an apply need not start the service: it runs, it completed or ended, or its schedule starts it. */
const isInForce = ({ actual, spec }: Service): boolean =>
  actual.tag === 'down'
    ? actual.why.tag === 'completed' || actual.why.tag === 'ended'
    : spec.kind === 'cron' || IN_FORCE.has(actual.tag);

/** Returns the pending declaration if the current run can use it. */
export const liveRevision = (service: Service): ServiceSpec | undefined => {
  const { spec, revised, rollout, wanted } = service;
  return revised !== undefined &&
    rollout === undefined &&
    wanted === 'up' &&
    isInForce(service) &&
    isLiveChange(spec, revised)
    ? revised
    : undefined;
};

const PROBE = /_check\.(?:liveness\.)?(?:command|url|tcp|log)$/;

/**
 * Returns the state. If the declared probe changed, the health in the state is reset, because the last result
 * came from the old probe.
 */
const probedAnew = (actual: ServiceState, keys: readonly ChangedKey[]): ServiceState =>
  'health' in actual && keys.some(({ key }) => PROBE.test(key))
    ? { ...actual, health: UNPROBED, ...('alive' in actual && { alive: UNPROBED }) }
    : actual;

/** Returns the service, in which `next` becomes the declaration of the current run. */
export const withoutRestart = (service: Service, next: ServiceSpec): Service => {
  const { revised: _, rejected: __, previous: ___, rolledBack: ____, ...rest } = service;
  return {
    ...rest,
    spec: next,
    actual: probedAnew(service.actual, differenceOf(service.spec, next)),
    ...rollbackFactsAfter(service, next),
  };
};
