// Requests are notified of each service that they await, and answered when all are decided.
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
  /** Absent if the service is where the command wants it. */
  readonly failure?: SupError;
}

/** True if all removals are done, so that the turns can begin. */
const removed = ({ turn, queue, undecided }: Request): boolean =>
  turn === undefined && queue.length > 0 && queue.length === undecided;

/** One pending target less. */
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

/** The verdict on a target is known: the request no longer awaits it. */
export const decide = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  count(draft, decision);
};

/** The command for this service: one that a restart or apply removes has no turn and must stop. */
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

/** True if it or its candidate is waiting. */
const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/** A service moved: notifies the requests that await it, and those of dependents that now wait in vain. */
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

/** True if the command must start it. A service that a restart removes never has a turn. */
const isToBringUp = ({ command, turn }: Request, service: ServiceId): boolean =>
  command.type === 'start' || turn === service;

/** The service left the roster. A request that awaited that is done with it; one that wanted it up fails. */
export const hearOfLeaving = (draft: Draft, { awaitedBy, spec: { id: service } }: Service): void =>
  awaitedBy.forEach((id) => {
    const request = draft.state.requests[id];
    const failed = request !== undefined && isToBringUp(request, service);
    count(draft, { request: id, service, ...(failed && { failure: calledOff(service) }) });
  });
