// The state machine of one service, as one total table (`table.ts`): what happens in each state on each input.
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
// The rules behind it are in `docs/behaviour.md`; `docs/states.md` is generated from the table.
import type { Service, ServiceState, Tag } from '../domain/service/service.ts';
import { keptBeside } from '../rollout/rollback.ts';
import { betweenBoundaries } from './anew.ts';
import { remember } from './history.ts';
import { noticed } from './incidents.ts';
import { presentRun, type Context, type Input, type InputType, type Change } from './input.ts';
import type { Cell } from './cells.ts';
import { reboundTo } from './schedule.ts';
import { TABLE } from './table.ts';

const isLate = (service: Service, input: Input): boolean =>
  'run' in input && input.run !== presentRun(service);

type Memories = Pick<Service, 'history' | 'incidents'>;

const memoriesOf = (service: Service, to: Change['to'], told: Parameters<typeof remember>[2]): Memories => {
  const incidents = noticed(service, to, told);
  return { history: remember(service, to, told), ...(incidents && { incidents }) };
};

/** It becomes ready, or is by a check that it took up while it was up. */
const isReady = (before: ServiceState, { actual, spec }: Service): boolean =>
  actual.tag === 'up' &&
  (before.tag !== 'up' || spec.deployment.healthCheck === undefined || actual.health.health === 'healthy');

/** Its declaration has had a run that was ready. */
const proven = (before: ServiceState, service: Service): Service =>
  service.proven !== service.spec.digest && isReady(before, service)
    ? { ...service, proven: service.spec.digest }
    : service;

const applied = (service: Service, move: Change, memories: Memories): Service => {
  const next = proven(service.actual, {
    ...service,
    ...move.patch,
    actual: move.to ?? service.actual,
    ...memories,
  });
  // The old run of a rollout begins anew as it was declared: what is newer is still to come.
  if (next.revised === undefined || move.patch?.spec !== next.revised) return next;
  const { revised: _taken, rejected: _, previous: __, rolledBack: ___, ...rest } = next;
  return { ...rest, ...keptBeside(service, next.spec) };
};

/** A job keeps to its declaration: as soon as it has another one, and no later than between two runs. */
const keptToCron = (before: Service, after: Service, at: Context['at']): Service =>
  reboundTo(before, betweenBoundaries(before, after), at);

interface Moved {
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
  const next = applied(service, move, memories);
  return { service: keptToCron(service, next, context.at), effects: move.effects ?? [] };
};
