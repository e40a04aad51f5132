// Which changes of a declaration take effect in the current run. Keys of its process need a new run; all
// others say how it is supervised (`docs/deployments.md`, "Keys taken up without a restart").
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { ChangedKey } from '../domain/apply-plan.ts';
import type { Service, ServiceState, Tag } from '../domain/service/service.ts';
import { UNPROBED } from '../service/health.ts';
import { differenceOf } from './changed-keys.ts';
import { keptBeside } from './rollback-spec.ts';

/** Keys taken up without a new run, each with all keys below it. */
const LIVE_KEYS = [
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
  'logs.max_bytes',
  'logs.max_files',
  'max_restarts',
  'reload',
  'restart_policy',
  'run_as',
  'spawn.limits',
  'stop_signal',
  'stop_timeout',
] as const;

const liveKeyOf = ({ key }: ChangedKey): string | undefined =>
  LIVE_KEYS.find((live) => key === live || key.startsWith(`${live}.`));

const isLive = (changed: ChangedKey): boolean => liveKeyOf(changed) !== undefined;

/** The keys without what is below them, each once: `hooks`, `deployment.health_check`. */
export const liveNames = (keys: readonly ChangedKey[]): readonly string[] => [
  ...new Set(keys.map((changed) => liveKeyOf(changed) ?? changed.key)),
];

/** The changed keys, each marked if it needs a new run. */
export const changesOf = (before: ServiceSpec, after: ServiceSpec): readonly ChangedKey[] =>
  differenceOf(before, after).map((key) => (isLive(key) ? key : { ...key, newRun: true }));

/** True if no key of the process changed. A difference that no key shows counts as one of the process. */
export const isLiveChange = (before: ServiceSpec, after: ServiceSpec): boolean => {
  if (before.kind !== after.kind) return false;
  const keys = differenceOf(before, after);
  return keys.length > 0 && keys.every(isLive);
};

/**
 * States in which the service runs, or rests until something other than an apply starts it. In others an
 * apply does.
 */
const IN_FORCE: ReadonlySet<Tag> = new Set<Tag>(['starting', 'up', 'scheduled']);

/** Only its schedule starts a job, so an apply leaves a run that begins or ends alone too. */
const isInForce = ({ actual, spec }: Service): boolean =>
  actual.tag === 'down'
    ? actual.why.tag === 'completed' || actual.why.tag === 'ended'
    : spec.kind === 'cron' || IN_FORCE.has(actual.tag);

/** The newer declaration that an apply takes up without a new run; `undefined` if there is none. */
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

const PROBE = /_check\.(?:command|url)$/;

/** A changed probe resets the health that the old one found. */
const probedAnew = (actual: ServiceState, keys: readonly ChangedKey[]): ServiceState =>
  'health' in actual && keys.some(({ key }) => PROBE.test(key)) ? { ...actual, health: UNPROBED } : actual;

/** The service with the declaration `next` in its current run. */
export const withoutRestart = (service: Service, next: ServiceSpec): Service => {
  const { revised: _, rejected: __, previous: ___, rolledBack: ____, ...rest } = service;
  return {
    ...rest,
    spec: next,
    actual: probedAnew(service.actual, differenceOf(service.spec, next)),
    ...keptBeside(service, next),
  };
};
