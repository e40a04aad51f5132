// The state machine of a run, as a total table (`state-table.ts`): what happens in each state on each input.
// It handles the current run, together with the facts of its service, and also the second run of a rollout,
// which has no such facts (D-122).
//
// Desired and current. `wanted` is the desired state (up or down); `actual` is the current one. Only `start`,
// `stop` and `restart` change `wanted`; the machine moves `actual` towards it, one state at a time. So a
// casualty (down because a dependency failed) needs no new command: it is still `wanted` up, and starts when
// its dependencies are ready.
//
// Other services. The table sees one service: no other service, no clock, no process. Propagation
// (`kernel/propagate.ts`) reads the states of dependencies and dependents and sends inputs: `admit` starts a
// waiting service, `hold` keeps it waiting, `release` lets a stop begin, `fell` makes a casualty, `raise`
// lets it recover, `pass-over` skips it.
//
// The life of a run. `waiting` (for dependencies, then for a place in the gate) → `preparing` (the skip
// command, then pre_start) → `spawning` (the pid is unknown) → `starting` (alive, not ready) → `up` (ready) →
// `stopping` → a state without a process. A run with a process always ends through `stopping`, which lasts
// until its process tree is gone and the leader's exit is known. So a restart leaves no orphan and never runs
// two instances at once.
//
// States without a process. `down` says why. `scheduled` waits for a scheduled time, `backing-off` for the
// next attempt, `broken` for a command, `casualty` for its failed dependencies.
//
// Late news. News about a process carries the number of its run and is dropped if that run is over. News of
// the current run that can arrive without effect has a cell `ignored`.
//
// The rules are in `docs/behaviour.md`; `docs/states.md` is generated from the table.
import { withListed } from '../domain/service/exit-status.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import { rollbackFactsAfter } from '../rollout/rollback-spec.ts';
import { betweenBoundaries } from './scheduled/scheduled-runs.ts';
import { askedBy, remember, noticed } from './state-history.ts';
import { presentRun, type CellContext, type Input, type InputType, type Change } from './service-input.ts';
import { reboundTo } from '../cron/next-run-time.ts';
import { TABLE, type Cell } from './state-table.ts';

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

/** If the run is ready, records that its declaration has been used by a ready run (`proven`). */
const proven = (before: ServiceState, run: ServiceOrRun): ServiceOrRun =>
  run.proven !== run.spec.digest && isReady(before, run) ? { ...run, proven: run.spec.digest } : run;

const applied = (service: ServiceOrRun, move: Change, memories: Memories): ServiceOrRun => {
  const next = proven(service.actual, {
    ...service,
    ...move.patch,
    actual: move.to ?? service.actual,
    ...memories,
  });
  // If the old run restarts during a rollout, it uses its old declaration, and the newer declaration stays
  // pending.
  if (next.revised === undefined || move.patch?.spec !== next.revised) return next;
  const { revised: _taken, rejected: _, previous: __, rolledBack: ___, ...rest } = next;
  return { ...rest, ...rollbackFactsAfter(service, next.spec) };
};

/**
 * Applies a changed declaration of a scheduled service: the schedule at once, all other keys between two
 * runs.
 */
const keptToCron = (before: ServiceOrRun, after: ServiceOrRun, at: CellContext['at']): ServiceOrRun =>
  reboundTo(before, betweenBoundaries(before, after), at);

/** Returns the input, in which an exit status that `success_exit_codes` lists is marked as a success. */
const judged = ({ spec }: Run, input: Input): Input =>
  input.type === 'exited' ? { ...input, status: withListed(spec, input.status) } : input;

/** Records which program sent the command, if the input comes from a command. */
const ordered = (run: ServiceOrRun, input: Input): ServiceOrRun =>
  input.type === 'start' || input.type === 'stop' || input.type === 'restart' ? askedBy(run, input.by) : run;

interface Moved<R extends Run> {
  readonly service: R;
  readonly effects: readonly NonNullable<Change['effects']>[number][];
}

/** Applies an input to a run. Returns the run (the same object if unchanged) and the effects to carry out. */
export const transition = <R extends ServiceOrRun>(
  service: R,
  news: Input,
  context: CellContext,
): Moved<R> => {
  if (isLate(service, news)) return { service, effects: [] };
  const input = judged(service, news);
  // The cast is safe: the cell is chosen by the state and the type of the input.
  const row = TABLE[service.actual.tag] as Record<InputType, Cell<Tag, InputType>>;
  const move = row[input.type]({ service, state: service.actual, input, context });
  if (move.to === undefined && move.patch === undefined) return { service, effects: move.effects ?? [] };
  const memories = memoriesOf(service, move.to, { input, at: context.at });
  const next = ordered(applied(service, move, memories), input);
  // Only optional fields are ever removed, so the result is still an `R`.
  return { service: keptToCron(service, next, context.at) as R, effects: move.effects ?? [] };
};
