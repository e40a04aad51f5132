// One step in the making: the state so far, what it touched, what it wants done. It lives for the length of one
// `step` and never leaves it; what comes out is immutable.
import type { Effect } from '../domain/effect.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { ChildTurn, Departure, Move, Turn } from './derived/move.ts';
import { serviceAt, withService } from './roster.ts';
import type { Request } from './requests/request.ts';
import type { SupervisorState } from './state.ts';

/** A service to look at, with its neighbours: it moved, or (both are the same) something else about it is new. */
export interface Visit {
  readonly before: Service;
  readonly after: Service;
}

export interface Draft {
  readonly at: Instant;
  state: SupervisorState;
  readonly effects: Effect[];
  /** Second runs that moved, and rollouts that began, came to another step, or ended: in order. */
  readonly rollouts: (Move | Turn)[];
  /** Children that began or ended. */
  readonly children: ChildTurn[];
  /** What is handed out: the services that moved, in order, and those that left. */
  readonly moves: (Move | Departure)[];
  /** What settling has still to look at. */
  readonly work: Visit[];
  readonly services: Set<ServiceId>;
  readonly requests: Set<RequestId>;
}

/** Nothing touched yet; `at` is the moment of everything in this step. */
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

/** As it is by now in this step. */
export const find = (draft: Draft, id: ServiceId): Service | undefined => serviceAt(draft.state.roster, id);

/** Replaces a service without asking the table: for what is the kernel's own (gate, requests, registration). */
export const put = (draft: Draft, service: Service): void => {
  draft.state = { ...draft.state, roster: withService(draft.state.roster, service) };
  draft.services.add(service.spec.id);
};

/** Has settling look at a service that did not move. */
export const revisit = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service !== undefined) draft.work.push({ before: service, after: service });
};

/** Adds it, or puts it in the place of the one with its id. */
export const putRequest = (draft: Draft, request: Request): void => {
  draft.state = { ...draft.state, requests: { ...draft.state.requests, [request.id]: request } };
  draft.requests.add(request.id);
};

/** Forgets one that is answered; one that is not there is no mistake. */
export const dropRequest = (draft: Draft, id: RequestId): void => {
  const { [id]: dropped, ...requests } = draft.state.requests;
  if (dropped === undefined) return;
  draft.state = { ...draft.state, requests };
  draft.requests.add(id);
};
