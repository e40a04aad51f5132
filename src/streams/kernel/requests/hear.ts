// Requests hear of each service that they await, and are answered when all are decided.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { find, put, putRequest, type Draft, type Visit } from '../draft.ts';
import { answer } from './answer.ts';
import type { Request } from './request.ts';
import { takeTurn } from './turn.ts';
import { calledOff, verdictOf } from './verdict.ts';

interface Decision {
  readonly request: RequestId;
  readonly service: ServiceId;
  /** Absent: it is where the command wants it. */
  readonly failure?: SupError;
}

/** What was to go is gone: those who are to come take their turns. */
const removed = ({ turn, queue, undecided }: Request): boolean =>
  turn === undefined && queue.length > 0 && queue.length === undecided;

/** One target less whose verdict is out. */
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

/** The verdict on a target is out: the request does not await it any longer. */
export const decide = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  count(draft, decision);
};

/** Who is removed by a restart or an apply itself never has a turn: it is to stop. */
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

/** It, or its candidate. */
const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/** A service moved: whoever awaits it, or a dependent that now waits in vain, hears of it. */
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

/** The command was to bring it up; who is removed by a restart itself never has a turn. */
const isToBringUp = ({ command, turn }: Request, service: ServiceId): boolean =>
  command.type === 'start' || turn === service;

/** The service left the roster: whoever awaited that has it, whoever wanted it up is called off. */
export const hearOfLeaving = (draft: Draft, { awaitedBy, spec: { id: service } }: Service): void =>
  awaitedBy.forEach((id) => {
    const request = draft.state.requests[id];
    const failed = request !== undefined && isToBringUp(request, service);
    count(draft, { request: id, service, ...(failed && { failure: calledOff(service) }) });
  });
