// The inputs of a run's state table: orders (from commands, and from services that it depends on or that
// depend on it, `kernel/propagate.ts`) and news (from effects and watches).
import type { ServiceNews } from '../domain/event.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { Act } from '../domain/service/history-facts.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Effect } from '../domain/effect.ts';

/**
 * Inputs that tell a service what to do. Commands send `start`, `stop` and `restart`; the others follow from
 * changes of other services, of its children, or from a user's signal.
 */
type Order =
  /**
   * Starts the service. `insisted`: the user named it, which overrides `skip` and runs a scheduled service
   * now.
   */
  | { readonly type: 'start'; readonly insisted: boolean }
  | { readonly type: 'stop' }
  | { readonly type: 'restart'; readonly insisted: boolean }
  /**
   * Starts a waiting service: its dependencies are ready, and the limit of simultaneous starts permits it.
   */
  | { readonly type: 'admit' }
  /**
   * Keeps the service waiting and sets what it waits for: its turn in the gate (`start/max_concurrent`), or
   * dependencies that are not ready.
   */
  | { readonly type: 'hold'; readonly for: In<'waiting'>['for'] }
  /** Lets a requested stop begin: no dependent that must also stop is still alive. */
  | { readonly type: 'release' }
  /**
   * The dependencies `of` failed. The service stops and becomes a casualty: down until they are ready again.
   */
  | { readonly type: 'fell'; readonly of: readonly ServiceId[] }
  /**
   * Lets a casualty or skipped service wait to start again: its failed dependencies are ready, or the
   * dependency because of which it was skipped is no longer skipped.
   */
  | { readonly type: 'raise' }
  /** All children (processes that the service requested) which had to end with the service have ended. */
  | { readonly type: 'children-gone' }
  /**
   * A user signalled or reloaded the main process with `sup`, which did that itself and not the supervisor.
   */
  | { readonly type: 'acted'; readonly act: Act }
  /** Skips the service, because a dependency was skipped. */
  | { readonly type: 'pass-over'; readonly dependency: ServiceId };

type News = Exclude<ServiceNews, { type: 'hook-ended' | 'verified' | 'weighed' }>;
export type Input = Order | News;
export type InputType = Input['type'];
/** The input of the state table with the type `I`. */
export type InputOf<I extends InputType> = Extract<Input, { type: I }>;

/** What a cell of the state table may read besides the service and the input. */
export interface CellContext {
  readonly at: Instant;
  readonly settings: Settings;
  /** True if a dependent waits for this service to complete. Then exit 0 always completes it. */
  readonly awaitedCompletion: boolean;
}

interface Meeting<S extends ServiceState, I extends Input> {
  readonly service: ServiceOrRun;
  readonly state: S;
  readonly input: I;
  readonly context: CellContext;
}
/**
 * The arguments of one cell of the state table: a run in a state with tag `T`, and an input of type `I`. The
 * run is the current one with the facts of its service, or during a rollout the other run.
 */
export type Situation<T extends Tag, I extends InputType> = Meeting<In<T>, InputOf<I>>;

/**
 * The result of one cell of the state table: a new state, changed fields of the run, and effects. An empty
 * object changes nothing.
 */
export interface Change {
  readonly to?: ServiceState;
  readonly patch?: Partial<Omit<Run, 'actual'>>;
  readonly effects?: readonly Effect[];
}

export const STAY: Change = {};

/** Returns the number of this run. Events about it with another run number are outdated. */
export const presentRun = (run: Pick<Run, 'runs'>): RunId => run.runs as RunId;
