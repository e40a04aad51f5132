// The streams that are derived from the steps (one step processes one event). All decisions are made in the
// step; a stream only computes the consequences of a state change, such as log lines and hooks.
import { filter, map, type Observable } from 'rxjs';
import type { Effect, EffectOf } from '../../domain/effect.ts';
import type { Event } from '../../domain/event.ts';
import { projectOf, type ProjectId, type ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Watching } from '../../domain/watch.ts';
import { resolvedService } from '../../rollout/placeholders.ts';
import { hookEffects } from '../../hooks/hook-effects.ts';
import { each } from '../../operators/each.ts';
import { factsOf, type Facts } from './state-change-facts.ts';
import { isMove, isTurn, type Departure, type Move, type Turn } from './state-change.ts';
import { serviceAt } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import type { Step } from '../step.ts';
import { watchings } from './watch-lists.ts';

/** A service after an event. `service` is absent if the event removed the service. */
export interface ServiceChange {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

export interface Derived extends Facts {
  readonly step$: Observable<Step>;
  readonly state$: Observable<SupervisorState>;
  readonly watch$: Observable<Watching>;
  readonly service$: Observable<ServiceChange>;
  /** State changes of current runs, and removals of services, in order. */
  readonly move$: Observable<Move | Departure>;
  /** Rollouts that began, changed their step, or ended. */
  readonly rollout$: Observable<Turn>;
  /** The projects of the services that a command has just changed. */
  readonly commanded$: Observable<ReadonlySet<ProjectId>>;
  /**
   * Log lines that cannot be derived from a state change. `views/notes` makes the text of these and of all
   * other lines.
   */
  readonly note$: Observable<EffectOf<'note'>>;
  readonly spawn$: Observable<EffectOf<'spawn'>>;
  readonly signal$: Observable<EffectOf<'signal'>>;
  /** Hook commands to run after state changes. */
  readonly hook$: Observable<EffectOf<'run-hook'>>;
  readonly reply$: Observable<EffectOf<'reply'>>;
  readonly slot$: Observable<EffectOf<'keep-slot'>>;
  readonly quit$: Observable<EffectOf<'quit'>>;
}

const COMMANDING: ReadonlySet<Event['type']> = new Set(['requested', 'manifests-loaded', 'signalled']);

const ofType =
  <T extends Effect['type']>(type: T) =>
  (step$: Observable<Step>): Observable<EffectOf<T>> =>
    step$.pipe(
      each(({ effects }) => effects),
      filter((effect): effect is EffectOf<T> => effect.type === type),
    );

const changesIn = ({ state, services }: Step): readonly ServiceChange[] =>
  services.map((id) => ({ id, service: serviceAt(state.serviceTable, id) }));

/** Returns the effects that run hooks after one event; both runs of a rollout trigger hooks. */
const hooksIn = ({ moves, rollouts }: Step): readonly EffectOf<'run-hook'>[] => [
  ...moves
    .filter(isMove)
    .flatMap(({ before, after }) => hookEffects(resolvedService(before), resolvedService(after))),
  ...rollouts.flatMap((each) => (isTurn(each) ? [] : hookEffects(each.before, each.after, 'other'))),
];

/** Returns the streams derived from `step$`. All of them share one subscription to the steps. */
export const derive = (step$: Observable<Step>): Derived => {
  const move$ = step$.pipe(each(({ moves }) => moves));
  return {
    ...factsOf(move$),
    step$,
    state$: step$.pipe(map(({ state }) => state)),
    watch$: step$.pipe(each(watchings)),
    service$: step$.pipe(each(changesIn)),
    move$,
    commanded$: step$.pipe(
      filter(({ event, services }) => COMMANDING.has(event.type) && services.length > 0),
      map(({ services }) => new Set(services.map(projectOf))),
    ),
    rollout$: step$.pipe(each(({ rollouts }) => rollouts.filter(isTurn))),
    note$: step$.pipe(ofType('note')),
    spawn$: step$.pipe(ofType('spawn')),
    signal$: step$.pipe(ofType('signal')),
    hook$: step$.pipe(each(hooksIn)),
    reply$: step$.pipe(ofType('reply')),
    slot$: step$.pipe(ofType('keep-slot')),
    quit$: step$.pipe(ofType('quit')),
  };
};
