// What happens in each state on each input (used by `service-machine.ts`). The compiler reports a missing
// cell. `docs/states.md` is generated from this table.
import type { Tag } from '../domain/service/service.ts';
import * as orders from './start-stop-restart.ts';
import * as beginning from './prepare-and-spawn.ts';
import type { InputType } from './service-input.ts';
import * as running from './readiness.ts';
import * as stopping from './stopping.ts';
import {
  type Cell,
  ignored,
  impossible,
  noted,
  overlap,
  miss,
  reschedule,
  dueAgain,
  grow,
  queue,
  passOver,
  takeUp,
  fallDeeper,
} from './table-cells.ts';

type Table = { readonly [T in Tag]: { readonly [I in InputType]: Cell<T, I> } };

/** Inputs from other services and children in a state in which they cannot arrive or change nothing. */
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
 * News in a state without a process, command or probe. News that arrives nevertheless belongs to a finished
 * run.
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
  restart: orders.bounce,
  ...atRest,
  release: stopping.release,
  fell: stopping.fall,
  ...noRun,
  peaked: grow,
  exited: running.ended,
  probed: running.probed,
  notified: running.notified,
  rang: overlap,
  'clock-stepped': reschedule,
};

export const TABLE: Table = {
  down: {
    start: orders.startFromDown,
    stop: orders.standDown,
    restart: orders.startFromDown,
    ...atRest,
    raise: takeUp,
    ...noRun,
    elapsed: ignored,
    rang: ignored,
    'clock-stepped': ignored,
  },
  scheduled: {
    start: orders.startScheduled,
    stop: orders.standDown,
    restart: orders.startScheduled,
    ...atRest,
    ...noRun,
    elapsed: ignored,
    rang: orders.ring,
    'clock-stepped': reschedule,
  },
  waiting: {
    start: orders.wantNewest,
    stop: orders.standDown,
    restart: orders.beginAnew,
    admit: beginning.begin,
    hold: queue,
    release: impossible,
    fell: ignored,
    raise: impossible,
    'pass-over': passOver,
    'children-gone': impossible,
    ...noRun,
    elapsed: ignored,
    rang: miss,
    'clock-stepped': reschedule,
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
    rang: overlap,
    'clock-stepped': reschedule,
  },
  spawning: {
    start: orders.wantUp,
    stop: orders.wantDown,
    restart: orders.startNewest,
    ...atRest,
    fell: beginning.fallLater,
    ...noRun,
    spawned: beginning.spawned,
    'spawn-failed': beginning.spawnFailed,
    elapsed: ignored,
    rang: overlap,
    'clock-stepped': reschedule,
  },
  starting: { ...alive, elapsed: running.stable },
  up: { ...alive, measured: running.measured, elapsed: running.proved },
  stopping: {
    start: orders.startAgain,
    stop: orders.wantDown,
    restart: orders.startAgain,
    ...atRest,
    fell: stopping.fallFurther,
    'children-gone': stopping.alone,
    ...noRun,
    'command-ended': stopping.commandEnded,
    notified: stopping.notifiedAtEnd,
    exited: stopping.exitKnown,
    surveyed: stopping.surveyed,
    elapsed: stopping.phaseElapsed,
    rang: overlap,
    'clock-stepped': reschedule,
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
    fell: fallDeeper,
    raise: beginning.revive,
    ...noRun,
    elapsed: ignored,
    rang: ignored,
    'clock-stepped': ignored,
  },
};
