// Notifies requests of changes of the services that they await. A request is answered when all its targets
// are decided.
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
  /** Why the service did not get where the command wants it; absent if it did. */
  readonly failure?: SupError;
}

/** True if all services to be removed are gone, so that the first service can take its turn. */
const removed = ({ turn, queue, undecided }: Request): boolean =>
  turn === undefined && queue.length > 0 && queue.length === undecided;

/**
 * Counts this target of the request as decided. Then answers the request if it was the last one, or starts
 * the next turn.
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

/** Records the verdict on a target: the request no longer awaits that service. */
export const decide = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  count(draft, decision);
};

/**
 * Returns what the command means for this service. A service that a restart or apply removes must stop,
 * unless it has its turn.
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
 * Notifies requests after a service changed: those that await it, and those that await a dependent whose
 * wait for this service may now be in vain.
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

/** True if the command must start the service. A service that a restart removes never has a turn. */
const isToBringUp = ({ command, turn }: Request, service: ServiceId): boolean =>
  command.type === 'start' || turn === service;

/**
 * Notifies requests of a service that was removed from the service table. A request that had to start the
 * service fails for it; for every other request the target is reached.
 */
export const hearOfLeaving = (draft: Draft, { awaitedBy, spec: { id: service } }: Service): void =>
  awaitedBy.forEach((id) => {
    const request = draft.state.requests[id];
    const failed = request !== undefined && isToBringUp(request, service);
    count(draft, { request: id, service, ...(failed && { failure: calledOff(service) }) });
  });
