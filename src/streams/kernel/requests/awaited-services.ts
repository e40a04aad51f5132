// Checks requests (unanswered commands) when a service that they wait for changes. A request is answered when
// it has a verdict on all its services.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { find, put, putRequest, type Draft, type Visit } from '../draft.ts';
import { answer } from './command-reply.ts';
import type { Request } from './request.ts';
import { takeTurn } from './restart-in-turn.ts';
import { calledOff, verdictOf } from './target-outcome.ts';

interface Decision {
  readonly request: RequestId;
  readonly service: ServiceId;
  /** Why the service did not reach the state that the command wants; absent if it did. */
  readonly failure?: SupError;
}

/**
 * True if all services that the request removes are gone, so that it can restart the first service of its
 * queue.
 */
const removed = ({ turn, queue, undecided }: Request): boolean =>
  turn === undefined && queue.length > 0 && queue.length === undecided;

/**
 * Records on the request that this service has reached its state or failed. Then answers the request if that
 * was the last service, or begins with the next one in its queue.
 */
const count = (draft: Draft, { request: id, service, failure }: Decision): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const decided: Request = {
    ...request,
    undecided: request.undecided - 1,
    failures: failure === undefined ? request.failures : [...request.failures, failure],
  };
  putRequest(draft, decided);
  if (decided.undecided === 0) answer(draft, decided);
  else if (decided.turn === service || removed(decided)) takeTurn(draft, decided);
};

/** Records the verdict on a service that a request waits for: the request no longer waits for it. */
export const decide = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  count(draft, decision);
};

/**
 * Returns the command that applies to this service: `stop` if a restart or apply removes it and is not
 * restarting it now, else the command itself.
 */
const wishOf = ({ command, turn }: Request, { leaving, spec }: Service): Command['type'] => {
  const isRemoved = leaving && turn !== spec.id && (command.type === 'restart' || command.type === 'apply');
  return isRemoved ? 'stop' : command.type;
};

const hearOf = (draft: Draft, service: Service, id: RequestId): void => {
  const request = draft.state.requests[id];
  const decision: Decision = { request: id, service: service.spec.id };
  if (request === undefined) return decide(draft, decision);
  const verdict = verdictOf(wishOf(request, service), service, {
    graph: draft.state.graph,
    find: (other) => find(draft, other),
    since: request.since,
    before: request.before[service.spec.id],
    at: draft.at,
  });
  if (verdict === 'pending') return;
  decide(draft, verdict === 'reached' ? decision : { ...decision, failure: verdict });
};

const tell = (draft: Draft, service: Service): void =>
  service.awaitedBy.forEach((request) => hearOf(draft, service, request));

/** True if the service or its candidate is waiting. */
const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/**
 * Checks the requests that wait for a changed service, and those that wait for a dependent of it: the
 * dependent may now wait for something that does not become ready.
 */
export const hear = (draft: Draft, { before, after }: Visit): void => {
  const service = find(draft, after.spec.id);
  if (service === undefined) return;
  tell(draft, service);
  if (before.actual.tag === after.actual.tag && before.wanted === after.wanted) return;
  for (const id of dependentsOf(draft.state.graph, after.spec.id)) {
    const dependent = find(draft, id);
    if (dependent !== undefined && dependent.awaitedBy.length > 0 && isWaiting(dependent))
      tell(draft, dependent);
  }
};

/**
 * True if the command must start the service: it is a start, or a restart in which it is the service's turn.
 * A service that a restart removes never has a turn.
 */
const isToBringUp = ({ command, turn }: Request, service: ServiceId): boolean =>
  command.type === 'start' || turn === service;

/**
 * Gives requests their verdict on a service that was removed from the service table. A request that had to
 * start that service fails for it; for every other request it has reached its state.
 */
export const hearOfLeaving = (draft: Draft, { awaitedBy, spec: { id: service } }: Service): void =>
  awaitedBy.forEach((id) => {
    const request = draft.state.requests[id];
    const failed = request !== undefined && isToBringUp(request, service);
    count(draft, { request: id, service, ...(failed && { failure: calledOff(service) }) });
  });
