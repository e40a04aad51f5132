// One step in progress: the state so far, what it touched, and its effects. It exists only during one `step`;
// the result is immutable.
import type { Effect } from '../domain/effect.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { ChildTurn, Departure, Move, RunMove, Turn } from './derived/service-move.ts';
import { serviceAt, withService } from './service-table.ts';
import type { Request } from './requests/request.ts';
import type { SupervisorState } from './state.ts';

/**
 * A service to visit with its neighbours: it moved, or (both are the same) something else about it changed.
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
  /** Moves of other runs, and rollouts that began, changed their step or ended, in order. */
  readonly rollouts: (RunMove | Turn)[];
  /** Children that began or ended. */
  readonly children: ChildTurn[];
  /** What the step emits: the services that moved, in order, and those that left. */
  readonly moves: (Move | Departure)[];
  /** What propagation still has to visit. */
  readonly work: Visit[];
  readonly services: Set<ServiceId>;
  readonly requests: Set<RequestId>;
}

/** An empty draft; `at` is the time of everything in this step. */
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

/** The service as it is now in this step. */
export const find = (draft: Draft, id: ServiceId): Service | undefined => serviceAt(draft.state.roster, id);

/** Replaces a service without the state table, for the kernel's own fields (gate, requests, registration). */
export const put = (draft: Draft, service: Service): void => {
  changeState(draft, { roster: withService(draft.state.roster, service) });
  draft.services.add(service.spec.id);
};

/** Lets propagation visit a service that did not move. */
export const revisit = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service !== undefined) draft.work.push({ before: service, after: service });
};

/** Adds the request, or replaces the one with its id. */
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
