// The inputs of the state table: orders (from commands and propagation) and news (from the effect streams).
import type { ServiceNews } from '../domain/event.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { Act } from '../domain/service/history-facts.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Effect } from '../domain/effect.ts';

/** `start`, `stop` and `restart` come from commands, the other orders from propagation. */
type Order =
  /** `insisted`: the user named the service, which overrides `skip` and runs a scheduled service now. */
  | { readonly type: 'start'; readonly insisted: boolean }
  | { readonly type: 'stop' }
  | { readonly type: 'restart'; readonly insisted: boolean }
  /** Dependencies are ready and the gate let the service in. */
  | { readonly type: 'admit' }
  /** What it waits for: the gate, or dependencies that are not ready (any more). */
  | { readonly type: 'hold'; readonly for: In<'waiting'>['for'] }
  /** A stop may begin: no dependent that must also stop is still alive. */
  | { readonly type: 'release' }
  /** A dependency failed. */
  | { readonly type: 'fell'; readonly of: readonly ServiceId[] }
  /**
   * All failed dependencies are ready again, or the dependency it was skipped with is no longer skipped.
   */
  | { readonly type: 'raise' }
  /** No child that had to end with the service is left. */
  | { readonly type: 'children-gone' }
  /** A person acted on its main process directly, not through the supervisor. */
  | { readonly type: 'acted'; readonly act: Act }
  /** A dependency was skipped. */
  | { readonly type: 'pass-over'; readonly dependency: ServiceId };

type News = Exclude<ServiceNews, { type: 'hook-ended' | 'verified' | 'weighed' }>;
export type Input = Order | News;
export type InputType = Input['type'];
/** The input with this type. */
export type InputOf<I extends InputType> = Extract<Input, { type: I }>;

/** What a cell may read besides the service and the input. */
export interface CellContext {
  readonly at: Instant;
  readonly settings: Settings;
  /** Some dependent waits for this service to complete: exit 0 always counts as a completed one-shot. */
  readonly awaitedCompletion: boolean;
}

interface Meeting<S extends ServiceState, I extends Input> {
  readonly service: ServiceOrRun;
  readonly state: S;
  readonly input: I;
  readonly context: CellContext;
}
/**
 * The arguments of one cell of the table: a service by its current run, or another run of one, in a state of
 * this tag, and an input of this type.
 */
export type Situation<T extends Tag, I extends InputType> = Meeting<In<T>, InputOf<I>>;

/** The result of a cell: a new state, other changed fields, effects. An empty object changes nothing. */
export interface Change {
  readonly to?: ServiceState;
  readonly patch?: Partial<Omit<Run, 'actual'>>;
  readonly effects?: readonly Effect[];
}

export const STAY: Change = {};

/** The number of the current run; news of any other run is outdated. */
export const presentRun = (run: Pick<Run, 'runs'>): RunId => run.runs as RunId;
