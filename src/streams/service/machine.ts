// The state machine of one service, as one total table: what happens in each state on each input.
//
// Desired and current. `wanted` says what was asked for (up or down); `actual` says what is. Only people change
// `wanted` (orders `start`, `stop`, `restart`); the machine moves `actual` towards it and never asks for more than
// one thing at a time. So "a manual stop does not cascade" needs no code, and neither does "a casualty heals": the one
// is `wanted` of a single service, the other a state that settling leaves again.
//
// Who decides first. A run of events about several services is settled service by service (`kernel/settle.ts`):
// settling looks at the neighbours and sends orders: `admit` and `hold` when dependencies are there, `release` when a
// stop may begin, `fell` and `raise` for casualties, `pass-over` behind a skipped one. The table itself looks at one
// service only; it cannot see a neighbour, the clock or a process.
//
// The life of a run. `waiting` (for dependencies, then for the gate) → `preparing` (the skip command, then pre_start)
// → `spawning` (asked for; the pid is not known yet) → `starting` (alive, not ready) → `up` (ready) → `stopping`
// (being brought down, or what is left of it being cleared) → one of the states of rest. A run never ends anywhere
// but in `stopping`, and `stopping` never ends before nobody of the tree is left and the leader's exit is known.
// That is why a restart cannot leave an orphan and why a second copy cannot be started.
//
// States of rest. `down` says why; `scheduled` waits for a cron boundary; `backing-off` for the next attempt;
// `broken` for a person; `casualty` for the dependencies that felled it.
//
// Late news. Everything about a process carries its run. News of another run than the present one never reaches the
// table. What can arrive within the right run and yet means nothing is written down as `ignored`.
//
// The rules behind it are in `docs/behaviour.md`; `docs/states.md` is generated from this table.
import type { Service, Tag } from '../domain/service/service.ts';
import * as orders from './orders.ts';
import * as beginning from './beginning.ts';
import { wait } from './beginning.ts';
import { remember } from './history.ts';
import { noticed } from './incidents.ts';
import {
  presentRun,
  STAY,
  type Context,
  type Input,
  type InputType,
  type Change,
  type Situation,
} from './input.ts';
import * as running from './running.ts';
import { passed, peaked, rescheduled } from './schedule.ts';
import * as stopping from './stopping.ts';

type Cell<T extends Tag, I extends InputType> = (situation: Situation<T, I>) => Change;
type Table = { readonly [T in Tag]: { readonly [I in InputType]: Cell<T, I> } };

/** It can arrive here, and it changes nothing. */
export const ignored = (): Change => STAY;
/** Settling and the world never send this here. A row that has it anyway is harmless. */
export const impossible = (): Change => STAY;
/** It is remembered, and moves nobody. */
const noted = (): Change => ({ patch: {} });

const overlap = ({ service, input, context }: Situation<Tag, 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'overlap') },
});
const miss = ({ service, input, context }: Situation<'waiting', 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'missed') },
});
const reschedule = ({ service, context }: Situation<Tag, 'clock-stepped'>): Change => ({
  patch: { schedule: rescheduled(service, context.at) },
});
const dueAgain = (cell: Situation<'backing-off', 'elapsed'>): Change =>
  cell.input.timer === 'backoff' ? wait() : STAY;
const grow = ({ service, input }: Situation<'starting' | 'up', 'peaked'>): Change => ({
  patch: { schedule: peaked(service.schedule, input.peakBytes) },
});
const queue = ({ state }: Situation<'waiting', 'hold'>): Change =>
  state.for === 'gate' ? STAY : { to: { tag: 'waiting', for: 'gate' } };
const passOver = ({ input }: Situation<'waiting', 'pass-over'>): Change => ({
  to: { tag: 'down', why: { tag: 'skipped', by: input.dependency } },
});
const fallDeeper = ({ state, input }: Situation<'casualty', 'fell'>): Change => ({
  to: { tag: 'casualty', of: [...new Set([...state.of, ...input.of])] },
});

/** What settling sends to a service that waits, falls or is to stop; nothing of it concerns a service at rest. */
const atRest = {
  admit: impossible,
  hold: impossible,
  release: impossible,
  raise: impossible,
  'pass-over': impossible,
  'children-gone': impossible,
  fell: ignored,
};
/** No process, no command, no probe: what still arrives is of a run that is over. */
const noRun = {
  'command-ended': ignored,
  spawned: impossible,
  'spawn-failed': impossible,
  exited: ignored,
  probed: ignored,
  surveyed: ignored,
  peaked: ignored,
  acted: noted,
};

export const TABLE: Table = {
  down: {
    start: orders.startFromDown,
    stop: orders.standDown,
    restart: orders.startFromDown,
    ...atRest,
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
    start: orders.wantUp,
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
    restart: orders.wantUp,
    ...atRest,
    ...noRun,
    spawned: beginning.spawned,
    'spawn-failed': beginning.spawnFailed,
    elapsed: ignored,
    rang: overlap,
    'clock-stepped': reschedule,
  },
  starting: {
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
    elapsed: running.stable,
    rang: overlap,
    'clock-stepped': reschedule,
  },
  up: {
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
    elapsed: running.proved,
    rang: overlap,
    'clock-stepped': reschedule,
  },
  stopping: {
    start: orders.startAgain,
    stop: orders.wantDown,
    restart: orders.startAgain,
    ...atRest,
    fell: stopping.fallFurther,
    'children-gone': stopping.alone,
    ...noRun,
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

const isLate = (service: Service, input: Input): boolean =>
  'run' in input && input.run !== presentRun(service);

type Memories = Pick<Service, 'history' | 'incidents'>;

const memoriesOf = (service: Service, to: Change['to'], told: Parameters<typeof remember>[2]): Memories => {
  const incidents = noticed(service, to, told);
  return { history: remember(service, to, told), ...(incidents && { incidents }) };
};

const applied = (service: Service, move: Change, memories: Memories): Service => {
  const { revised, ...rest } = service;
  const next = { ...rest, ...move.patch, actual: move.to ?? service.actual, ...memories };
  const taken = move.patch?.spec !== undefined;
  return revised === undefined || taken ? next : { revised, ...next };
};

export interface Moved {
  readonly service: Service;
  readonly effects: readonly NonNullable<Change['effects']>[number][];
}

/** One input to one service: the service as it is then (the same object when nothing changed), and what to do. */
export const transition = (service: Service, input: Input, context: Context): Moved => {
  if (isLate(service, input)) return { service, effects: [] };
  // The table is keyed by the very tag and type that the situation is made of.
  const row = TABLE[service.actual.tag] as Record<InputType, Cell<Tag, InputType>>;
  const move = row[input.type]({ service, state: service.actual, input, context });
  if (move.to === undefined && move.patch === undefined) return { service, effects: move.effects ?? [] };
  const memories = memoriesOf(service, move.to, { input, at: context.at });
  return { service: applied(service, move, memories), effects: move.effects ?? [] };
};
