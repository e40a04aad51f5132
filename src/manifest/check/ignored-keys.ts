// The table of the keys that a manifest may set although they have no effect, either always or because of
// other keys. `report-ignored-keys.ts` reports them: as warnings with version 2, as errors with version 3.
// When a key gets an effect, delete its row here and its line in docs/manifest.md; a test compares the two.
//
// Rules: `docs/behaviour.md`, "Not carried out yet".
import type { ProblemCode } from '../../streams/domain/declared/manifest.ts';

/** A condition on other keys. If it is met, a key has no effect. */
interface Beside {
  /** The condition in words, as in docs/manifest.md. */
  readonly told: string;
  /** The condition holds only if all these keys are set. */
  readonly keys?: readonly string[];
  /** The condition holds only if these keys have these values. */
  readonly says?: readonly (readonly [key: string, value: string])[];
  /** Keys that must not be set. If a value is given with a key, the key may be set, but not to this value. */
  readonly no?: readonly (readonly [key: string, value?: string])[];
}

export interface NotCarriedOut {
  readonly in: 'manifest' | 'service';
  /** The key without effect, with dots for nested objects: `limits.nice`. */
  readonly key: string;
  /** Values of the key that are not reported, because they ask for nothing. */
  readonly unless?: readonly string[];
  /** The condition under which the key has no effect. If absent, the key never has an effect. */
  readonly beside?: Beside;
  readonly code: ProblemCode;
  /** The message for the user: what happens instead. */
  readonly told: string;
}

const NO_REPLACEMENT = 'there is no replacement';

/** Returns the row for a key that a manifest may set but that is never applied. */
const never = (key: string, instead: string, more: Pick<NotCarriedOut, 'unless'> = {}): NotCarriedOut => ({
  in: 'service',
  key,
  code: 'ERR0721',
  told: `is never applied: ${instead}`,
  ...more,
});

/**
 * Returns the row for a key about restarts. The key has no effect with `cron`, because a scheduled service is
 * not restarted.
 */
const ofRestarts = (key: string, told: string, more: Pick<NotCarriedOut, 'unless'> = {}): NotCarriedOut => ({
  in: 'service',
  key,
  beside: { told: 'with `cron`', keys: ['cron'] },
  code: 'ERR0223',
  told: `means nothing with cron: ${told}`,
  ...more,
});

/**
 * Returns the rows for keys about a ready service. These keys have no effect in a check of a rollout, because
 * this check ends as soon as it has passed.
 */
const ofRollouts = (check: string): readonly NotCarriedOut[] =>
  ['after_ready', 'on_failure', 'liveness'].map((key) => ({
    in: 'service',
    key: `deployment.blue_green.${check}.${key}`,
    code: 'ERR0223',
    told: 'means nothing in a check of a rollout: it is about a ready service',
  }));

/** Returns the rows for keys about probes. These keys have no effect in a check that sends no probes. */
const ofProbes = (kind: string): readonly NotCarriedOut[] =>
  ['interval', 'start_interval', 'attempt_timeout', 'retries', 'after_ready'].map((key) => ({
    in: 'service',
    key: `deployment.health_check.${key}`,
    beside: { told: `with \`${kind}\``, keys: [`deployment.health_check.${kind}`] },
    code: 'ERR0223',
    told: `has no effect with ${kind}: nothing is asked; total_timeout limits the time until the service is ready`,
  }));

const unlessOff = { unless: ['false'] };

/** Returns the row for a key that has no effect if the condition in `beside` is met. */
const idle = (
  key: string,
  told: string,
  {
    of = 'service',
    ...more
  }: Pick<NotCarriedOut, 'unless'> & {
    readonly beside: Beside;
    readonly of?: NotCarriedOut['in'];
  },
): NotCarriedOut => ({ in: of, key, code: 'ERR0223', told, ...more });

const NEVER = { told: 'with `restart_policy: never`', says: [['restart_policy', 'never']] } as const;
const NO_RESTARTS = { told: 'with `max_restarts: 0`', says: [['max_restarts', '0']] } as const;
const SCHEDULED = { told: 'with `cron`', keys: ['cron'] } as const;
const NO_LOG = { told: 'with `sink: none`', says: [['logs.sink', 'none']] } as const;
const NO_SPILLOVER = { told: 'without `spillover_path`', no: [['metrics.spillover_path']] } as const;

const UNASKED = 'has no effect: the health check does not ask a ready service';
const UNSPILLED = 'has no effect without spillover_path: no samples are written to disk';
const UNROTATED = 'has no effect: no rotated file is kept';
const UNLOGGED = 'has no effect with sink none: there is no log file';
const NEVER_RESTARTED = 'has no effect: the service is never restarted automatically';

/** Keys that have no effect because of other keys. */
const IDLE: readonly NotCarriedOut[] = [
  idle('backoff', NEVER_RESTARTED, { beside: NEVER }),
  idle('max_restarts', NEVER_RESTARTED, { beside: NEVER, unless: ['0'] }),
  idle('backoff', NEVER_RESTARTED, { beside: NO_RESTARTS }),
  idle('hooks.on_restart', NEVER_RESTARTED, { beside: NEVER }),
  idle('max_memory', NEVER_RESTARTED, { beside: NEVER }),
  idle('max_memory_for', 'has no effect without max_memory: no memory is measured for it', {
    beside: { told: 'without `max_memory`', no: [['max_memory']] },
  }),
  idle('hooks.on_restart', NEVER_RESTARTED, { beside: NO_RESTARTS }),
  idle('hooks.on_restart', NEVER_RESTARTED, { beside: SCHEDULED }),
  idle('deployment.health_check.on_failure', UNASKED, {
    beside: { told: 'with `log`', keys: ['deployment.health_check.log'] },
  }),
  idle('deployment.health_check.on_failure', UNASKED, {
    beside: { told: 'with `notify`', keys: ['deployment.health_check.notify'] },
  }),
  idle('deployment.health_check.on_failure', UNASKED, {
    beside: { told: 'with `after_ready: off`', says: [['deployment.health_check.after_ready', 'off']] },
  }),
  idle('deployment.health_check.on_failure', UNASKED, {
    beside: {
      told: 'with `liveness` and without `after_ready`',
      keys: ['deployment.health_check.liveness'],
      no: [['deployment.health_check.after_ready']],
    },
  }),
  idle('deployment.strategy', 'has no effect with blue_green: the candidate runs beside the old run', {
    beside: { told: 'with `blue_green`', keys: ['deployment.blue_green'] },
    unless: ['rolling'],
  }),
  idle('spawn.limits', 'has no effect with mode static: the service asks for no children', {
    beside: { told: 'without `mode: dynamic`', no: [['spawn.mode', 'dynamic']] },
  }),
  idle('env.inherit_env', 'has no effect without user: such a service inherits the environment anyway', {
    beside: { told: 'without `user`', no: [['user'], ['env.clean']] },
    ...unlessOff,
  }),
  idle('control', 'has no effect: a service without confinement may use the control socket anyway', {
    beside: {
      told: 'without `user`, `capabilities` and `isolation`',
      no: [['user'], ['capabilities'], ['isolation']],
    },
    ...unlessOff,
  }),
  idle('logs.max_bytes', UNLOGGED, { beside: NO_LOG }),
  idle('logs.max_age', UNLOGGED, { beside: NO_LOG }),
  idle('logs.compress', UNLOGGED, { beside: NO_LOG, ...unlessOff }),
  idle('logs.max_files', UNLOGGED, { beside: NO_LOG }),
  idle('logs.max_files', 'has no effect with max_bytes 0: the log is never rotated', {
    beside: { told: 'with `max_bytes: 0`', says: [['logs.max_bytes', '0']] },
  }),
  ...['max_bytes', 'max_files'].flatMap((sized) => {
    const beside = { told: `with \`${sized}: 0\``, says: [[`logs.${sized}`, '0']] } as const;
    return [
      idle('logs.max_age', UNROTATED, { beside }),
      idle('logs.compress', UNROTATED, { beside, ...unlessOff }),
    ];
  }),
  idle('metrics.spillover_max_bytes', UNSPILLED, { of: 'manifest', beside: NO_SPILLOVER }),
  idle('metrics.spillover_segment_bytes', UNSPILLED, { of: 'manifest', beside: NO_SPILLOVER }),
  idle('status.snapshot_interval_secs', 'has no effect with snapshot_mode off: there are no snapshots', {
    of: 'manifest',
    beside: { told: 'with `snapshot_mode: off`', says: [['status.snapshot_mode', 'off']] },
  }),
];

export const NOT_CARRIED_OUT: readonly NotCarriedOut[] = [
  never('isolation.apparmor_profile', NO_REPLACEMENT),
  never('isolation.selinux_context', NO_REPLACEMENT),
  never('isolation.private_devices', 'use isolation.protect: { devices: minimal }', unlessOff),
  never('isolation.private_tmp', 'use isolation.protect: { tmp: private }', unlessOff),
  {
    in: 'service',
    key: 'deployment.grace_period',
    unless: ['0s', '0', '0ms', '0m', '0h'],
    beside: {
      told: 'with `strategy: immediate`',
      no: [['deployment.strategy', 'rolling'], ['deployment.blue_green']],
    },
    code: 'ERR0223',
    told: 'means nothing with strategy immediate: there is no candidate to watch',
  },
  ...ofRollouts('candidate_health_check'),
  ...ofRollouts('switch_verify'),
  ...ofProbes('log'),
  ofRestarts('watch', 'the next run reads the changed files anyway'),
  ...ofProbes('notify'),
  ...['interval', 'attempt_timeout', 'retries'].map((key): NotCarriedOut => ({
    in: 'service',
    key: `deployment.health_check.liveness.${key}`,
    beside: { told: 'with `watchdog`', keys: ['deployment.health_check.liveness.watchdog'] },
    code: 'ERR0223',
    told: 'has no effect with watchdog: nothing is asked, and its time is the only one',
  })),
  ofRestarts('max_memory', 'a scheduled run is not restarted; limits.cgroup.memory_max limits it'),
  ofRestarts('restart_policy', 'a run that fails is not restarted', { unless: ['never'] }),
  ofRestarts('backoff', 'the next run comes at its time'),
  ofRestarts('max_restarts', 'there are no automatic restarts', { unless: ['0'] }),
  ...IDLE,
];
