// A draft is one step in progress: the state so far, what has changed, and the effects. It lives only while
// `step` runs.
import type { Effect } from '../domain/effect.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { ChildTurn, Departure, Move, RunMove, Turn } from './after-step/state-change.ts';
import { serviceAt, withService } from './service-table.ts';
import type { Request } from './requests/request.ts';
import type { SupervisorState } from './state.ts';

/**
 * A changed service whose effects on other services must be checked. If `before` equals `after`, the service
 * is only checked again.
 */
export interface Visit {
  readonly before: Service;
  readonly after: Service;
}

export interface Draft {
  readonly at: Instant;
  /** The state so far in this step; only `setState` assigns it. */
  readonly state: SupervisorState;
  readonly effects: Effect[];
  /** State changes of the second runs of rollouts, and changes of rollouts, in order. */
  readonly rollouts: (RunMove | Turn)[];
  /** Children that began or ended. */
  readonly children: ChildTurn[];
  /** State changes of current runs, and services that were removed, in order. */
  readonly moves: (Move | Departure)[];
  /** Changed services whose effects on other services are not checked yet. */
  readonly work: Visit[];
  /** Services to remove when all changes are checked. */
  readonly gone: Set<ServiceId>;
  readonly services: Set<ServiceId>;
  readonly requests: Set<RequestId>;
}

/** Returns a new draft without changes. `at`: the time of everything that happens in the step. */
export const openDraft = (state: SupervisorState, at: Instant): Draft => ({
  at,
  state,
  effects: [],
  rollouts: [],
  children: [],
  moves: [],
  work: [],
  gone: new Set(),
  services: new Set(),
  requests: new Set(),
});

/** Replaces the state; no other code may assign it (`test/house.spec.ts`). */
export const setState = (draft: { state: SupervisorState }, state: SupervisorState): void => {
  draft.state = state;
};

/** Replaces some fields of the supervisor's state. */
export const changeState = (draft: Draft, changed: Partial<SupervisorState>): void =>
  setState(draft, { ...draft.state, ...changed });

/** Returns the service with all its changes so far in this step. */
export const find = (draft: Draft, id: ServiceId): Service | undefined =>
  serviceAt(draft.state.serviceTable, id);

/** True if a service with this id exists and passes the test. */
export const serviceIs = (draft: Draft, id: ServiceId, test: (service: Service) => boolean): boolean => {
  const service = find(draft, id);
  return service !== undefined && test(service);
};

/** Stores a changed service. Does not queue it for a check of its effects on other services. */
export const put = (draft: Draft, service: Service): void => {
  changeState(draft, { serviceTable: withService(draft.state.serviceTable, service) });
  draft.services.add(service.spec.id);
};

/** Queues an unchanged service, to check its effects on other services again. */
export const revisit = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service !== undefined) draft.work.push({ before: service, after: service });
};

/** Adds the request, or replaces the request that has its id. */
export const putRequest = (draft: Draft, request: Request): void => {
  changeState(draft, { requests: { ...draft.state.requests, [request.id]: request } });
  draft.requests.add(request.id);
};

/** Removes an answered request, if it exists. */
export const dropRequest = (draft: Draft, id: RequestId): void => {
  const { [id]: dropped, ...requests } = draft.state.requests;
  if (dropped === undefined) return;
  changeState(draft, { requests });
  draft.requests.add(id);
};
