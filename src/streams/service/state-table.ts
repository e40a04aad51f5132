// What happens in each state on each input (used by `service-machine.ts`). The compiler reports a missing
// cell. `docs/states.md` is generated from this table.
// Rules: `docs/behaviour.md`, "Starting".
import type { Tag } from '../domain/service/service.ts';
import * as orders from './start-stop-restart.ts';
import * as beginning from './prepare-and-spawn.ts';
import * as memory from './max-memory.ts';
import * as oneShots from './one-shots.ts';
import { dueAgain } from './restart-policy.ts';
import * as scheduled from './scheduled/scheduled-runs.ts';
import { STAY, type Change, type InputType, type Situation } from './service-input.ts';
import * as health from './checks/health.ts';
import * as running from './checks/readiness.ts';
import { notified, notifiedAtEnd } from './run-notified.ts';
import { commandEnded } from './stop/stop-command.ts';
import * as stopping from './stop/stopping.ts';

export type Cell<T extends Tag, I extends InputType> = (situation: Situation<T, I>) => Change;

/** A cell for an input that can arrive in this state and changes nothing. */
export const ignored = (): Change => STAY;

/** A cell for an input that cannot arrive in this state. */
export const impossible = (): Change => STAY;

/** A cell for an input that is recorded as an incident and changes no state. */
const noted = (): Change => ({ patch: {} });

type Table = { readonly [T in Tag]: { readonly [I in InputType]: Cell<T, I> } };

/**
 * The cells for inputs from other services and children, in states in which these inputs cannot arrive or
 * change nothing.
 */
const atRest = {
  admit: impossible,
  hold: impossible,
  release: impossible,
  raise: impossible,
  'pass-over': impossible,
  'children-gone': impossible,
  fell: ignored,
};

/**
 * The cells for news in a state without a process, command or probe. News that arrives in such a state is
 * about a finished run.
 */
const noRun = {
  'command-ended': ignored,
  spawned: impossible,
  'spawn-failed': impossible,
  exited: ignored,
  probed: ignored,
  notified: ignored,
  surveyed: ignored,
  peaked: ignored,
  measured: ignored,
  acted: noted,
};

/** The cells for a run with a process that is not being stopped. */
const alive = {
  start: orders.wantUp,
  stop: orders.wantDown,
  restart: orders.stopForRestart,
  ...atRest,
  release: stopping.release,
  fell: stopping.stopAsCasualty,
  ...noRun,
  peaked: scheduled.recordPeak,
  exited: running.ended,
  probed: health.probed,
  notified,
  rang: scheduled.overlap,
  'clock-stepped': scheduled.reschedule,
};

export const TABLE: Table = {
  down: {
    start: oneShots.startFromDown,
    stop: orders.standDown,
    restart: oneShots.startFromDown,
    ...atRest,
    raise: beginning.waitAgain,
    ...noRun,
    elapsed: ignored,
    rang: ignored,
    'clock-stepped': ignored,
  },
  scheduled: {
    start: scheduled.startScheduled,
    stop: orders.standDown,
    restart: scheduled.startScheduled,
    ...atRest,
    ...noRun,
    elapsed: ignored,
    rang: scheduled.ring,
    'clock-stepped': scheduled.reschedule,
  },
  waiting: {
    start: orders.wantNewest,
    stop: orders.standDown,
    restart: orders.beginAnew,
    admit: beginning.begin,
    hold: beginning.queue,
    release: impossible,
    fell: ignored,
    raise: impossible,
    'pass-over': beginning.passOver,
    'children-gone': impossible,
    ...noRun,
    elapsed: ignored,
    rang: scheduled.miss,
    'clock-stepped': scheduled.reschedule,
  },
  preparing: {
    start: orders.wantUp,
    stop: orders.standDown,
    restart: orders.beginAnew,
    ...atRest,
    fell: beginning.abandon,
    ...noRun,
    'command-ended': beginning.prepared,
    elapsed: ignored,
    rang: scheduled.overlap,
    'clock-stepped': scheduled.reschedule,
  },
  spawning: {
    start: orders.wantUp,
    stop: orders.wantDown,
    restart: orders.startNewest,
    ...atRest,
    fell: beginning.stopOnceSpawned,
    ...noRun,
    spawned: beginning.spawned,
    'spawn-failed': beginning.spawnFailed,
    elapsed: ignored,
    rang: scheduled.overlap,
    'clock-stepped': scheduled.reschedule,
  },
  starting: { ...alive, elapsed: running.stable },
  up: { ...alive, measured: memory.measured, elapsed: running.proved },
  stopping: {
    start: orders.startAgain,
    stop: orders.wantDown,
    restart: orders.startAgain,
    ...atRest,
    fell: stopping.addFailedDependency,
    'children-gone': stopping.childrenGone,
    ...noRun,
    'command-ended': commandEnded,
    notified: notifiedAtEnd,
    exited: stopping.exitKnown,
    surveyed: stopping.surveyed,
    elapsed: stopping.phaseElapsed,
    rang: scheduled.overlap,
    'clock-stepped': scheduled.reschedule,
  },
  'backing-off': {
    start: orders.startFromRest,
    stop: orders.standDown,
    restart: orders.startFromRest,
    ...atRest,
    ...noRun,
    elapsed: dueAgain,
    rang: ignored,
    'clock-stepped': ignored,
  },
  broken: {
    start: orders.startFromRest,
    stop: orders.standDown,
    restart: orders.startFromRest,
    ...atRest,
    ...noRun,
    elapsed: ignored,
    rang: ignored,
    'clock-stepped': ignored,
  },
  casualty: {
    start: orders.startFromRest,
    stop: orders.standDown,
    restart: orders.startFromRest,
    ...atRest,
    fell: beginning.addToCasualty,
    raise: beginning.revive,
    ...noRun,
    elapsed: ignored,
    rang: ignored,
    'clock-stepped': ignored,
  },
};
