// The rows that stories cite as `table: row`: what is about time and order in the documentation, by the place where it
// stands. Each must be told by a story. What a row says stands there; here are their names.
import { CHILD_ROWS } from './child-rows.ts';
import { CODES } from './codes.ts';
import { INSTANCE_ROWS } from './instance-rows.ts';
import { STOP_ROWS } from './stop-rows.ts';

/** For each table: where its rows stand, and their names. */
export type Rows = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const ROWS: Rows = {
  transitions: {
    'docs/behaviour.md, "Restarting"': [
      'exit under always',
      'exit with non-zero code under on-failure',
      'exit with code zero under on-failure',
      'exit under never',
      'a listed exit status counts as 0',
      'over max_memory',
    ],
    'docs/behaviour.md, "Breaker"': ['restart budget exceeded'],
    'docs/behaviour.md, "Casualties"': [
      'a dependency fails',
      'a casualty heals',
      'manual stop of a dependency',
    ],
    'docs/behaviour.md, "Starting"': ['start of a queued project'],
  },
  // restart_policy × how the process ended
  policy: {
    'docs/behaviour.md, "Restarting"': ['always', 'on-failure', 'never'].flatMap((policy) =>
      ['0', '1', 'signal', 'unknown'].map((exit) => `${policy} × ${exit}`),
    ),
  },
  watch: {
    'docs/behaviour.md, "Watched files"': [
      'one restart for a storm',
      'one more afterwards',
      'what a change starts',
    ],
  },
  restart: {
    'docs/deployments.md, "Keys taken up without a restart"': [
      'a key of supervising',
      'a key of the process',
    ],
    'docs/behaviour.md, "Restarting"': [
      'backoff constant',
      'backoff grows',
      'backoff capped',
      'a failed start counts as a failure',
      'wanted and actual are separate',
    ],
    'docs/behaviour.md, "Breaker"': [
      'the default budget is eight',
      'max_restarts sets the budget',
      'max_restarts 0 never restarts',
      '60 s of readiness clear the count',
      're-armed by start',
      're-armed by restart',
    ],
  },
  ready: {
    'docs/behaviour.md, "Readiness"': [
      'the stability window',
      'the first passing probe',
      'exit 0 before readiness is a completed one-shot',
      'an exit before readiness',
      'an address in use',
      'a probe that another process answers',
      'a program that goes into the background',
    ],
  },
  order: {
    'docs/behaviour.md, "Starting"': ['depends_on orders a start', 'unrelated services start together'],
  },
  'one-shots': {
    'docs/manifest.md, "depends_on"': [
      'condition completed',
      'condition started',
      'a dependency that is not required',
    ],
    'docs/behaviour.md, "One-shots"': [
      'a finished one satisfies its dependents',
      'a finished one stays done',
    ],
  },
  skip: {
    'docs/behaviour.md, "Starting"': [
      'true',
      'a command that succeeds',
      'a command that fails',
      'dependents are skipped too',
      'overridden by name',
      'shares the budget of pre_start',
    ],
  },
  pre_start: { 'docs/behaviour.md, "Starting"': ['before the spawn', 'failure', 'over budget'] },
  health: {
    'docs/behaviour.md, "Health checks"': [
      'early probes do not count',
      'fails after retries',
      'total_timeout longer than retries',
      'both must be spent',
      'the code follows the cause',
      'failing after readiness stops and restarts',
      'fells its dependents',
      'recovery resets the streak',
    ],
  },
  casualty: {
    'docs/behaviour.md, "Casualties"': [
      'direct',
      'transitive',
      'by crash',
      'by failed health',
      'heals bottom-up',
      'two culprits',
      'a manual stop keeps it down',
      'policy never heals too',
      'skip true is never raised',
      'a manual stop does not cascade',
      'no backoff and no budget',
      'a restart makes no casualty',
      'before readiness',
      'in backoff',
      'started by hand',
    ],
  },
  'hook matrix': {
    'docs/hooks.md, "What fires when"': [
      'starts successfully',
      'fails to spawn',
      'stopped by stop',
      'exits with non-zero status',
      'restart after crash succeeds',
      'restart attempt fails',
    ],
  },
  'hook rules': {
    'docs/hooks.md, "Two forms"': [
      '1 on_start.success after readiness',
      '2 on_start.error before readiness',
      '3 manual stop is a success',
      'on_stop fires whenever a service exits',
      'Form A onstart',
      'Form A onerr',
      'both forms together',
    ],
    'docs/hooks.md, "What fires when"': [
      '1 on_start.success of a one-shot',
      '4 on_stop.error before the restart',
      '5 on_restart only after a crash',
      'a casualty fires no onerr',
      'lost health fires as a crash',
      'a skipped service fires nothing',
    ],
    'docs/hooks.md, "How it is run"': ['fire and forget'],
  },
  cron: {
    'docs/manifest.md, "cron"': ['five fields', 'six fields', 'time zone', 'queue', 'catch up', 'jitter'],
    'docs/behaviour.md, "Schedules"': [
      'DST forward',
      'DST back',
      'clock steps',
      'overlap',
      'timeout',
      'a failed run',
      'run now',
      'stop and start',
      'restart',
      'missed boundaries are not replayed',
      'satisfies its dependents at once',
      'a run waits for its dependencies',
    ],
  },
  gate: {
    'docs/settings.md, "Settings"': ['max_concurrent 1', 'a positive cap', 'max_concurrent -1'],
    'docs/behaviour.md, "Starting"': [
      'with dependencies',
      'withdrawn while queued',
      'automatic restarts do not queue',
    ],
    'docs/behaviour.md, "Restart by hand"': ['restart one at a time'],
    'docs/behaviour.md, "Adoption"': ['a boot after everything died'],
  },
  deployment: {
    'docs/deployments.md, "Rolling"': [
      'a candidate that dies in its grace period',
      'a candidate that does not start',
      'rolling with a health check',
      'hooks of a candidate that failed',
      'hooks of both runs',
      'a candidate that is stubborn',
      'a candidate that fails its health check',
      'rolling without a grace period',
      'a candidate whose pre_start fails',
      'rolling',
      'a candidate that cannot be spawned',
      'a candidate that loses its health in its grace period',
    ],
    'docs/deployments.md, "Blue/green"': [
      'blue/green',
      'the first start',
      'verified before and after the switch',
      'a candidate that dies after the switch',
      'a candidate that dies during the switch',
      'a candidate that crashes while the switch is taken back',
      'a switch that cannot be taken back',
      'a crash of the active slot',
      'a switch that fails',
      'slots alternate',
      'state_path',
      'a candidate that fails its verification',
      'a switch that is not confirmed',
    ],
    'docs/deployments.md, "In the middle of things"': [
      'a dependency fails in the middle',
      'the old run is down when the candidate is ready',
      'the old run crashes',
      'restart while the old run stops',
      'restart after the switch',
      'restart in the middle',
      'shutdown in the middle',
      'shutdown while the switch is taken back',
      'stop after the switch',
      'stop in the middle',
    ],
    'docs/deployments.md, "Which strategy"': [
      'a service that is down is started',
      'restart of all strategies',
      'one-shots are immediate',
    ],
  },
  ...CHILD_ROWS,
  ...INSTANCE_ROWS,
  ...STOP_ROWS,
  // commands that arrive in every state
  races: {
    'docs/behaviour.md, "Restart by hand"': [
      'stop before its turn',
      'shutdown before its turn',
      'stop before a restart in a rollout',
    ],
    'docs/states.md, "The table"': [
      'start while waiting',
      'start while preparing',
      'start while spawning',
      'start while starting',
      'start while running',
      'start before a stop began',
      'start while stopping',
      'start in backoff',
      'start of what failed',
      'stop while waiting',
      'stop while preparing',
      'stop while spawning',
      'stop while starting',
      'stop while stopping',
      'stop in backoff',
      'stop with the breaker open',
      'stop while down',
      'restart while waiting',
      'restart while preparing',
      'restart while spawning',
      'restart while starting',
      'restart while stopping',
      'restart in backoff',
      'restart of a casualty',
      'many restarts at once',
      'crash before a stop began',
      'late news of an old run',
    ],
  },
  // the codes that a moment or an order of events decides
  errors: Object.fromEntries(CODES.map((code) => [`docs/errors.md, "${code}"`, [code]])),
};

export interface Row {
  /** As a story cites it: `table: row`. */
  readonly cited: string;
  /** Where it stands, as a comment would point there. */
  readonly place: string;
}

export const rowsIn = (rows: Rows): readonly Row[] =>
  Object.entries(rows).flatMap(([table, places]) =>
    Object.entries(places).flatMap(([place, names]) =>
      names.map((name) => ({ cited: `${table}: ${name}`, place })),
    ),
  );

/** Every row as a story cites it. */
export const citable = (rows: Rows): readonly string[] => rowsIn(rows).map(({ cited }) => cited);
