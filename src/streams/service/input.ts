// What the state table is indexed by: orders (from commands and from settling) and news (from the world).
import type { ServiceNews } from '../domain/event.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { Act } from '../domain/service/incident.ts';
import type { In, Service, ServiceState, Tag } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Effect } from '../domain/effect.ts';

/** Orders come from people (`start`, `stop`, `restart`) and from settling (the rest). */
type Order =
  /** `insisted`: asked for by name, which overrides `skip` and runs a scheduled service now. */
  | { readonly type: 'start'; readonly insisted: boolean }
  | { readonly type: 'stop' }
  | { readonly type: 'restart'; readonly insisted: boolean }
  /** Its dependencies are there and the gate let it in. */
  | { readonly type: 'admit' }
  /** What it waits for: its dependencies are there and the gate is full, or they are not there any more. */
  | { readonly type: 'hold'; readonly for: In<'waiting'>['for'] }
  /** It is to stop, and nobody else who is to stop depends on it any more. */
  | { readonly type: 'release' }
  /** A dependency failed. */
  | { readonly type: 'fell'; readonly of: readonly ServiceId[] }
  /** Every dependency that felled it is healthy again, or the one that it was skipped with is skipped no longer. */
  | { readonly type: 'raise' }
  /** Nobody is left of the children that were to end with it. */
  | { readonly type: 'children-gone' }
  /** A person did something to its main process, past the supervisor. */
  | { readonly type: 'acted'; readonly act: Act }
  /** A dependency was skipped. */
  | { readonly type: 'pass-over'; readonly dependency: ServiceId };

type News = Exclude<ServiceNews, { type: 'hook-ended' | 'verified' | 'weighed' }>;
export type Input = Order | News;
export type InputType = Input['type'];
/** The input with this type. */
export type InputOf<I extends InputType> = Extract<Input, { type: I }>;

/** What a move may look at beside the service and the input. */
export interface Context {
  readonly at: Instant;
  readonly settings: Settings;
  /** Some dependent waits for this service's completion: exit 0 is always a completed one-shot. */
  readonly awaitedCompletion: boolean;
}

interface Meeting<S extends ServiceState, I extends Input> {
  readonly service: Service;
  readonly state: S;
  readonly input: I;
  readonly context: Context;
}
/** A service in a state of this tag meets an input of this type: one cell of the table at work. */
export type Situation<T extends Tag, I extends InputType> = Meeting<In<T>, InputOf<I>>;

/** What becomes of it: a new state, other changed fields, things to do. Nothing given: nothing changes. */
export interface Change {
  readonly to?: ServiceState;
  readonly patch?: Partial<Omit<Service, 'actual'>>;
  readonly effects?: readonly Effect[];
}

export const STAY: Change = {};

/** The run that news must carry to be about the present. */
export const presentRun = (service: Service): RunId => service.runs as RunId;
