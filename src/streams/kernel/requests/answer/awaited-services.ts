// Checks unanswered commands when a service that they wait for changes. A command is answered when each of
// its services has reached the wanted state or failed, and at the latest at its deadline.
// Rules: `docs/behaviour.md`, "Starting"; `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Restart by
// hand", "restart"; `docs/behaviour.md`, "Instances", "Scaled".
import type { Command } from '../../../domain/command.ts';
import type { SupError } from '../../../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../../../domain/ids.ts';
import type { Service } from '../../../domain/service/service.ts';
import { dependentsOf } from '../../../graph/graph.ts';
import { find, put, putRequest, type Draft, type Visit } from '../../draft.ts';
import { answer, withFailure } from './command-reply.ts';
import type { Request } from '../request.ts';
import { takeTurn, withoutOthers } from '../restart-in-turn.ts';
import { calledOff, targetOutcome } from './target-outcome.ts';

interface Decision {
  readonly request: RequestId;
  readonly service: ServiceId;
  readonly failure?: SupError;
}

/** True if all services that the request removes are gone, so that its restarts can begin. */
const removed = ({ turn, queue, undecided }: Request): boolean =>
  turn === undefined && queue.length > 0 && queue.length === undecided;

/**
 * Records the result of a service in the request. Then answers the request if all results are known, or gives
 * the turn to the next service in its queue.
 */
const count = (draft: Draft, { request: id, service, failure }: Decision): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const counted: Request = {
    ...(failure === undefined ? request : withFailure(request, service, failure)),
    undecided: request.undecided - 1,
  };
  const hasFailed = failure !== undefined && request.turn === service;
  const decided = hasFailed ? withoutOthers(draft, counted, service) : counted;
  putRequest(draft, decided);
  if (decided.undecided === 0) answer(draft, decided);
  else if (decided.turn === service || removed(decided)) takeTurn(draft, decided);
};

/** Records the result of a service. The request no longer waits for this service. */
export const decide = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  count(draft, decision);
};

/** Commands that remove some services and start or restart others. */
const REMOVING: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'scale']);

/**
 * Returns what the command must do with the service: `stop` if the command removes the service, otherwise the
 * type of the command.
 */
const wishOf = ({ command, turn }: Request, { leaving, spec }: Service): Command['type'] => {
  const isRemoved = leaving && turn !== spec.id && REMOVING.has(command.type);
  return isRemoved ? 'stop' : command.type;
};

const checkRequest = (draft: Draft, service: Service, id: RequestId): void => {
  const request = draft.state.requests[id];
  const decision: Decision = { request: id, service: service.spec.id };
  if (request === undefined) return decide(draft, decision);
  const outcome = targetOutcome(wishOf(request, service), service, {
    graph: draft.state.graph,
    find: (other) => find(draft, other),
    since: request.since,
    before: request.before[service.spec.id],
    at: draft.at,
  });
  if (outcome === 'pending') return;
  decide(draft, outcome === 'reached' ? decision : { ...decision, failure: outcome });
};

const checkRequestsOf = (draft: Draft, service: Service): void =>
  service.awaitedBy.forEach((request) => checkRequest(draft, service, request));

const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/** Checks the requests that wait for the changed service or for one of its dependents. */
export const checkRequests = (draft: Draft, { before, after }: Visit): void => {
  const service = find(draft, after.spec.id);
  if (service === undefined) return;
  checkRequestsOf(draft, service);
  if (before.actual.tag === after.actual.tag && before.wanted === after.wanted) return;
  for (const id of dependentsOf(draft.state.graph, after.spec.id)) {
    const dependent = find(draft, id);
    if (dependent !== undefined && dependent.awaitedBy.length > 0 && isWaiting(dependent))
      checkRequestsOf(draft, dependent);
  }
};

/**
 * True if the command must start the service now: it is a start, or a restart that is changing this service
 * now.
 */
const isToBringUp = ({ command, turn }: Request, service: ServiceId): boolean =>
  command.type === 'start' || turn === service;

/**
 * Records the result of a removed service in the requests that wait for it. A request that had to start the
 * service has failed; any other request has reached its goal.
 */
export const decideForRemoved = (draft: Draft, { awaitedBy, spec: { id: service } }: Service): void =>
  awaitedBy.forEach((id) => {
    const request = draft.state.requests[id];
    const failed = request !== undefined && isToBringUp(request, service);
    count(draft, { request: id, service, ...(failed && { failure: calledOff(service) }) });
  });

/** Returns the error of a service that is not ready after `start_settle_secs`. */
const notReadyInTime = (draft: Draft, service: ServiceId): SupError => ({
  code: 'ERR0107',
  service,
  waited: draft.state.settings.startSettle,
});

/**
 * Ends the request at its deadline with ERR0107. A restart changes one service at a time, so only the service
 * that is being restarted now fails.
 */
export const expire = (draft: Draft, id: RequestId): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const { turn } = request;
  const isAwaited = (target: ServiceId): boolean => find(draft, target)?.awaitedBy.includes(id) ?? false;
  if (turn !== undefined && isAwaited(turn))
    return decide(draft, { request: id, service: turn, failure: notReadyInTime(draft, turn) });
  const failures = request.targets.filter(isAwaited).map((service) => notReadyInTime(draft, service));
  answer(draft, { ...request, failures: [...request.failures, ...failures] });
};
