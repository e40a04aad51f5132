// Everything that follows from the steps, named as the specification names it. Sinks, the store and the live view
// read these; the marbles draw them.
import { concatMap, distinctUntilChanged, filter, from, map, type Observable } from 'rxjs';
import type { Effect } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import { projectOf, type ProjectId, type ServiceId } from '../domain/ids.ts';
import type { Service, Tag } from '../domain/service.ts';
import type { Watch, Watching } from '../domain/watch.ts';
import { watchesOf } from '../service/watches.ts';
import { serviceAt } from './roster.ts';
import type { Request } from './requests/request.ts';
import type { SupervisorState } from './state.ts';
import type { Step } from './step.ts';

/** One service after a step; `undefined`: it left. */
export interface ServiceChange {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

const requestWatches = (request: Request): readonly Watch[] => {
  if (request.phase === 'loading')
    return [{ type: 'manifests', key: `manifests:${request.id}`, request: request.id, paths: request.paths }];
  const { id, deadline: due } = request;
  return due === undefined ? [] : [{ type: 'deadline', key: `deadline:${id}@${due}`, request: id, due }];
};

const watchings = ({ state, services, requests }: Step): readonly Watching[] => [
  ...services.map((id): Watching => {
    const service = serviceAt(state.roster, id);
    return { owner: id, watches: service ? watchesOf(service, state.settings) : [] };
  }),
  ...requests.map((id): Watching => {
    const request = state.requests[id];
    return { owner: `request:${id}`, watches: request ? requestWatches(request) : [] };
  }),
];

/** Flattened within the step, in order: a synchronous `from` never interleaves. */
const each =
  <T>(select: (step: Step) => readonly T[]) =>
  (step$: Observable<Step>): Observable<T> =>
    step$.pipe(concatMap((step) => from(select(step))));

const ASKING: ReadonlySet<Event['type']> = new Set(['requested', 'manifests-loaded', 'signalled']);

export interface Derived {
  readonly state$: Observable<SupervisorState>;
  readonly effect$: Observable<Effect>;
  readonly watch$: Observable<Watching>;
  readonly service$: Observable<ServiceChange>;
  /** Projects of which a person has just asked something: what is wanted there has changed. */
  readonly asked$: Observable<ReadonlySet<ProjectId>>;
  /** Services that fell because of another. */
  readonly casualty$: Observable<Service>;
  /** Services that the gate let in. */
  readonly admission$: Observable<Service>;
  /** Automatic restarts, as they are scheduled. */
  readonly restart$: Observable<Service>;
  /** Breakers, as they open. */
  readonly breaker$: Observable<Service>;
}

function entering(service$: Observable<ServiceChange>, tag: Tag): Observable<Service> {
  return service$.pipe(
    map(({ service }) => service),
    filter((service) => service !== undefined),
    filter((service) => service.actual.tag === tag && service.history.at(-1)?.to === tag),
    distinctUntilChanged((a, b) => a.spec.id === b.spec.id && a.actual === b.actual),
  );
}

export const derive = (step$: Observable<Step>): Derived => {
  const service$ = step$.pipe(
    each(({ state, services }) => services.map((id) => ({ id, service: serviceAt(state.roster, id) }))),
  );
  return {
    state$: step$.pipe(map(({ state }) => state)),
    effect$: step$.pipe(each(({ effects }) => effects)),
    watch$: step$.pipe(each(watchings)),
    service$,
    asked$: step$.pipe(
      filter(({ event, services }) => ASKING.has(event.type) && services.length > 0),
      map(({ services }) => new Set(services.map(projectOf))),
    ),
    casualty$: entering(service$, 'casualty'),
    admission$: entering(service$, 'spawning'),
    restart$: entering(service$, 'backing-off'),
    breaker$: entering(service$, 'broken'),
  };
};
