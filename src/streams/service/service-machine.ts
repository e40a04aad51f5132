// The state machine of a run, as a total table (`state-table.ts`): what happens in each state on each input.
// The table gets the current run together with the facts of its service, and the other run of a rollout
// without them (D-122).
//
// Desired and current. `wanted` is the desired state (up or down); `actual` is the current one. Only the
// inputs `start`, `stop` and `restart` change `wanted`; the machine changes `actual` towards it, one state at
// a time. So a manual stop affects one service, because it changes `wanted` of that service only. And a
// casualty (down because a dependency failed) needs no new start command: its `wanted` is still up, and it
// leaves that state when its dependencies are ready.
//
// Other services affect a run through propagation (`kernel/propagate.ts`), which runs before the table. It
// handles one service at a time, reads the states of its dependencies and dependents, and sends inputs to
// this machine. `admit` starts a waiting service, `hold` keeps it waiting, and `release` lets a stop begin.
// `fell` makes a casualty and `raise` lets it recover. `pass-over` skips a service because a dependency is
// skipped. The table itself sees one service only: no other service, no clock, no process.
//
// The life of a run. `waiting` (for dependencies, then for the limit of simultaneous starts) → `preparing`
// (the skip command, then pre_start) → `spawning` (the pid is not known yet) → `starting` (alive, not ready)
// → `up` (ready) → `stopping` (its processes are being ended) → a resting state. A run with a process always
// ends through `stopping`. That state lasts until no process of the tree is left and the leader's exit is
// known. So a restart leaves no orphan process and never has two instances alive at the same time.
//
// Resting states, which have no process. `down` says why the service is down. `scheduled` waits for a
// scheduled time, `backing-off` for the next attempt. `broken` waits for a command, `casualty` for its failed
// dependencies.
//
// Late news. All news about a process carries the number of its run. News with the number of another run
// never reaches the table. News of the current run that can arrive but has no effect has a cell `ignored`.
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

/**
 * True if the run has just become ready, or is `up` and healthy. A run without a health check counts as
 * healthy.
 */
const isReady = (before: ServiceState, { actual, spec }: Run): boolean =>
  actual.tag === 'up' &&
  (before.tag !== 'up' || spec.deployment.healthCheck === undefined || actual.health.health === 'healthy');

/** Records the run's declaration as proven (a run with it has been ready), if this run is ready. */
const proven = (before: ServiceState, run: ServiceOrRun): ServiceOrRun =>
  run.proven !== run.spec.digest && isReady(before, run) ? { ...run, proven: run.spec.digest } : run;

const applied = (service: ServiceOrRun, move: Change, memories: Memories): ServiceOrRun => {
  const next = proven(service.actual, {
    ...service,
    ...move.patch,
    actual: move.to ?? service.actual,
    ...memories,
  });
  // During a rollout the old run restarts with its old declaration, and the newer one stays pending.
  if (next.revised === undefined || move.patch?.spec !== next.revised) return next;
  const { revised: _taken, rejected: _, previous: __, rolledBack: ___, ...rest } = next;
  return { ...rest, ...keptBeside(service, next.spec) };
};

/**
 * Applies a changed declaration to a scheduled service: a new schedule at once, everything else between two
 * runs.
 */
const keptToCron = (before: ServiceOrRun, after: ServiceOrRun, at: CellContext['at']): ServiceOrRun =>
  reboundTo(before, betweenBoundaries(before, after), at);

interface Moved<R extends Run> {
  readonly service: R;
  readonly effects: readonly NonNullable<Change['effects']>[number][];
}

/**
 * Applies one input to the current run of a service, or to the other run of a rollout. Returns the changed
 * run and the effects to carry out; the same run object if nothing changed.
 */
export const transition = <R extends ServiceOrRun>(
  service: R,
  input: Input,
  context: CellContext,
): Moved<R> => {
  if (isLate(service, input)) return { service, effects: [] };
  // The cast is safe: row and cell are chosen by the tag and type that the situation is built from.
  const row = TABLE[service.actual.tag] as Record<InputType, Cell<Tag, InputType>>;
  const move = row[input.type]({ service, state: service.actual, input, context });
  if (move.to === undefined && move.patch === undefined) return { service, effects: move.effects ?? [] };
  const memories = memoriesOf(service, move.to, { input, at: context.at });
  const next = applied(service, move, memories);
  // Only optional fields are ever removed (`revised` and those that it replaces), so the result is still an
  // `R`.
  return { service: keptToCron(service, next, context.at) as R, effects: move.effects ?? [] };
};
