// A draft is one step in progress: the state so far, what the step has changed, and its effects. It exists
// only during one `step`. The result is immutable.
import type { Effect } from '../domain/effect.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { ChildTurn, Departure, Move, RunMove, Turn } from './derived/service-move.ts';
import { serviceAt, withService } from './service-table.ts';
import type { Request } from './requests/request.ts';
import type { SupervisorState } from './state.ts';

/**
 * A change of a service that propagation must handle. Both fields are the same object if the service did not
 * change state itself but must be checked again.
 */
export interface Visit {
  readonly before: Service;
  readonly after: Service;
}

export interface Draft {
  readonly at: Instant;
  /** The state so far; only `setState` assigns it. */
  readonly state: SupervisorState;
  readonly effects: Effect[];
  /** State changes of other runs, and rollouts that began, changed their step or ended, in order. */
  readonly rollouts: (RunMove | Turn)[];
  /** Children that began or ended. */
  readonly children: ChildTurn[];
  /** State changes of current runs in order, and services that were removed. */
  readonly moves: (Move | Departure)[];
  /** Changes that propagation has not handled yet. */
  readonly work: Visit[];
  readonly services: Set<ServiceId>;
  readonly requests: Set<RequestId>;
}

/** Returns an empty draft. `at` is the time of everything in this step. */
export const openDraft = (state: SupervisorState, at: Instant): Draft => ({
  at,
  state,
  effects: [],
  rollouts: [],
  children: [],
  moves: [],
  work: [],
  services: new Set(),
  requests: new Set(),
});

/** Replaces the whole state. This is the only assignment of the state (`test/house.spec.ts`). */
export const setState = (draft: { state: SupervisorState }, state: SupervisorState): void => {
  draft.state = state;
};

/** Replaces these parts of the state. */
export const changeState = (draft: Draft, changed: Partial<SupervisorState>): void =>
  setState(draft, { ...draft.state, ...changed });

/** Returns the service as it is now in this step. */
export const find = (draft: Draft, id: ServiceId): Service | undefined => serviceAt(draft.state.roster, id);

/**
 * Replaces a service without the state table, to change the kernel's own fields (gate, requests,
 * registration).
 */
export const put = (draft: Draft, service: Service): void => {
  changeState(draft, { roster: withService(draft.state.roster, service) });
  draft.services.add(service.spec.id);
};

/** Queues a service for propagation although its state did not change. */
export const revisit = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service !== undefined) draft.work.push({ before: service, after: service });
};

/** Adds the request, or replaces the one with the same id. */
export const putRequest = (draft: Draft, request: Request): void => {
  changeState(draft, { requests: { ...draft.state.requests, [request.id]: request } });
  draft.requests.add(request.id);
};

/** Removes an answered request; does nothing if there is none. */
export const dropRequest = (draft: Draft, id: RequestId): void => {
  const { [id]: dropped, ...requests } = draft.state.requests;
  if (dropped === undefined) return;
  changeState(draft, { requests });
  draft.requests.add(id);
};
