// The inputs of a run's state table: orders from commands and from other services (`kernel/propagate.ts`),
// and news from effects and watches.
import type { ServiceNews } from '../domain/event.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { Act } from '../domain/service/history-facts.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Effect } from '../domain/effect.ts';

/**
 * An instruction to a run. Commands send `start`, `stop` and `restart`. The rules of the kernel send the
 * other orders when a dependency, a dependent or a child changes. `by`: the program that sent the command, if
 * it is known.
 */
type Order =
  /** `insisted`: the user named the service, which overrides `skip` and runs a scheduled service now. */
  | { readonly type: 'start'; readonly insisted: boolean; readonly by?: string }
  | { readonly type: 'stop'; readonly by?: string }
  | { readonly type: 'restart'; readonly insisted: boolean; readonly by?: string }
  /**
   * Starts a waiting service. Its required dependencies are ready, and the gate lets it pass. `without`:
   * dependencies that are not ready and not required.
   */
  | { readonly type: 'admit'; readonly without?: readonly ServiceId[] }
  /** Keeps the service waiting, either for its dependencies or at the gate (`for`). */
  | { readonly type: 'hold'; readonly for: In<'waiting'>['for'] }
  /** Lets a requested stop begin, because all dependents that must also stop have stopped. */
  | { readonly type: 'release' }
  /** Stops the service, because the dependencies `of` failed. It is down until they are ready again. */
  | { readonly type: 'fell'; readonly of: readonly ServiceId[] }
  /** Moves the service to `waiting`. It was down or skipped because of its dependencies. */
  | { readonly type: 'raise' }
  /** All children that had to end with the service have ended. */
  | { readonly type: 'children-gone' }
  /** A user signalled or reloaded the main process directly with `sup`. */
  | { readonly type: 'acted'; readonly act: Act }
  /** Skips the service, because a dependency was skipped. */
  | { readonly type: 'pass-over'; readonly dependency: ServiceId };

type News = Exclude<ServiceNews, { type: 'hook-ended' | 'verified' | 'weighed' | 'changed' | 'unwatched' }>;
export type Input = Order | News;
export type InputType = Input['type'];
export type InputOf<I extends InputType> = Extract<Input, { type: I }>;

/** The facts that a cell of the state table may read in addition to the service and the input. */
export interface CellContext {
  readonly at: Instant;
  readonly settings: Settings;
  /**
   * True if a dependent waits for this service to complete. In this case an exit with 0 always completes the
   * service.
   */
  readonly awaitedCompletion: boolean;
}

interface Meeting<S extends ServiceState, I extends Input> {
  readonly service: ServiceOrRun;
  readonly state: S;
  readonly input: I;
  readonly context: CellContext;
}
/** The argument of a cell of the state table: a run in the state `T`, and the input `I`. */
export type Situation<T extends Tag, I extends InputType> = Meeting<In<T>, InputOf<I>>;

/**
 * The result of a cell of the state table: the new state, changed fields, effects. It is empty if nothing
 * changes.
 */
export interface Change {
  readonly to?: ServiceState;
  readonly patch?: Partial<Omit<Run, 'actual'>>;
  readonly effects?: readonly Effect[];
}

export const STAY: Change = {};

/** Returns the number of this run. Events with another run number are outdated. */
export const presentRun = (run: Pick<Run, 'runs'>): RunId => run.runs as RunId;
