// The state machine of a run, as a total table (`state-table.ts`): what happens in each state on each input.
// The current run comes with the facts of its service; the other run of a rollout comes alone (D-122).
//
// Desired and current. `wanted` is the desired state (up or down); `actual` is the current one. Here only the
// orders `start`, `stop` and `restart` change `wanted`; the machine moves `actual` towards it, one step at a
// time. So "a manual stop does not cascade" needs no code, and neither does "a casualty heals". The first is
// `wanted` of a single service, the second a state that propagation leaves again.
//
// Propagation comes first (`kernel/propagate.ts`). It handles one service at a time, looks at dependencies
// and dependents and sends orders. `admit` and `hold` say whether dependencies are ready, and `release` lets
// a stop begin. `fell` and `raise` handle casualties, and `pass-over` follows a skipped dependency. The table
// itself sees one service only: no other service, no clock, no process.
//
// The life of a run. `waiting` (for dependencies, then for the gate) → `preparing` (the skip command, then
// pre_start) → `spawning` (the pid is not known yet) → `starting` (alive, not ready) → `up` (ready) →
// `stopping` (its processes are being ended) → a resting state. A run always ends through `stopping`. That
// state lasts until no process of the tree is left and the leader's exit is known. So a restart cannot leave
// an orphan, and no second copy can be started.
//
// Resting states. `down` says why; `scheduled` waits for a cron boundary; `backing-off` for the next attempt;
// `broken` for a command; `casualty` for the dependencies that failed.
//
// Late news. All news about a process carries its run. News of another run never reaches the table. What can
// arrive for the current run without meaning anything is listed as `ignored`.
//
// The rules are in `docs/behaviour.md`; `docs/states.md` is generated from the table.
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import { keptBeside } from '../rollout/rollback-spec.ts';
import { betweenBoundaries } from './state-without-run.ts';
import { remember, noticed } from './history.ts';
import { presentRun, type CellContext, type Input, type InputType, type Change } from './service-input.ts';
import type { Cell } from './table-cells.ts';
import { reboundTo } from './schedule.ts';
import { TABLE } from './state-table.ts';

const isLate = (run: Run, input: Input): boolean => 'run' in input && input.run !== presentRun(run);

type Memories = Pick<Run, 'history' | 'incidents'>;

const memoriesOf = (run: Run, to: Change['to'], told: Parameters<typeof remember>[2]): Memories => {
  const incidents = noticed(run, to, told);
  return { history: remember(run, to, told), ...(incidents && { incidents }) };
};

/** True if it became ready, or passed a check that was declared while it was up. */
const isReady = (before: ServiceState, { actual, spec }: Run): boolean =>
  actual.tag === 'up' &&
  (before.tag !== 'up' || spec.deployment.healthCheck === undefined || actual.health.health === 'healthy');

/** Marks the declaration as proven by a ready run. */
const proven = (before: ServiceState, run: ServiceOrRun): ServiceOrRun =>
  run.proven !== run.spec.digest && isReady(before, run) ? { ...run, proven: run.spec.digest } : run;

const applied = (service: ServiceOrRun, move: Change, memories: Memories): ServiceOrRun => {
  const next = proven(service.actual, {
    ...service,
    ...move.patch,
    actual: move.to ?? service.actual,
    ...memories,
  });
  // In a rollout the old run restarts with its old declaration: the newer one is still pending.
  if (next.revised === undefined || move.patch?.spec !== next.revised) return next;
  const { revised: _taken, rejected: _, previous: __, rolledBack: ___, ...rest } = next;
  return { ...rest, ...keptBeside(service, next.spec) };
};

/** A job takes up a changed declaration as soon as possible, at the latest between two runs. */
const keptToCron = (before: ServiceOrRun, after: ServiceOrRun, at: CellContext['at']): ServiceOrRun =>
  reboundTo(before, betweenBoundaries(before, after), at);

interface Moved<R extends Run> {
  readonly service: R;
  readonly effects: readonly NonNullable<Change['effects']>[number][];
}

/**
 * A service after one input to its current run, or another run of one after an input to it; and the effects
 * to run. Returns the same object if nothing changed.
 */
export const transition = <R extends ServiceOrRun>(
  service: R,
  input: Input,
  context: CellContext,
): Moved<R> => {
  if (isLate(service, input)) return { service, effects: [] };
  // The row is chosen by the tag and type that the situation is built from.
  const row = TABLE[service.actual.tag] as Record<InputType, Cell<Tag, InputType>>;
  const move = row[input.type]({ service, state: service.actual, input, context });
  if (move.to === undefined && move.patch === undefined) return { service, effects: move.effects ?? [] };
  const memories = memoriesOf(service, move.to, { input, at: context.at });
  const next = applied(service, move, memories);
  // Only `revised` and what it replaces are ever dropped, and these are optional: a service stays one.
  return { service: keptToCron(service, next, context.at) as R, effects: move.effects ?? [] };
};
