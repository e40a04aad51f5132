// Who waits for what: commands hear of each service that they are about, and are answered when all are decided.
import type { SupError } from '../domain/error.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service.ts';
import { plus } from '../domain/time.ts';
import { dependentsOf } from '../graph/graph.ts';
import { isNamed } from '../selection/is-selected.ts';
import { answer } from './answer.ts';
import { find, put, putRequest, revisit, send, type Change, type Draft } from './draft.ts';
import type { Request } from './state.ts';
import { verdictOf } from './verdict.ts';

/** From now on the request hears of the service. */
export const awaitService = (draft: Draft, request: RequestId, service: Service): void => {
  put(draft, { ...service, awaitedBy: [...service.awaitedBy, request] });
  revisit(draft, service.spec.id);
};

/** Restart is one at a time: the next service of the queue takes its turn, for `start_settle_secs` at the most. */
export const takeTurn = (draft: Draft, request: Request): void => {
  const [turn, ...queue] = request.queue;
  if (turn === undefined) return;
  putRequest(draft, { ...request, queue, turn, deadline: plus(draft.at, draft.state.settings.startSettle) });
  const service = find(draft, turn);
  if (service === undefined) return decide(draft, { request: request.id, service: turn });
  awaitService(draft, request.id, service);
  const insisted = request.command.type === 'restart' && isNamed(service.spec, request.command.selection);
  send(draft, turn, { type: 'restart', insisted });
};

interface Decision {
  readonly request: RequestId;
  readonly service: ServiceId;
  readonly failure?: SupError;
}

const decide = (draft: Draft, { request: id, service, failure }: Decision): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const decided: Request = {
    ...request,
    undecided: request.undecided - 1,
    failures: failure === undefined ? request.failures : [...request.failures, failure],
  };
  putRequest(draft, decided);
  if (decided.undecided === 0) answer(draft, decided);
  else if (decided.turn === service) takeTurn(draft, decided);
};

/** The request need not wait for this service any longer. */
export const conclude = (draft: Draft, decision: Decision): void => {
  const service = find(draft, decision.service);
  if (service)
    put(draft, { ...service, awaitedBy: service.awaitedBy.filter((other) => other !== decision.request) });
  decide(draft, decision);
};

const hear = (draft: Draft, service: Service, id: RequestId): void => {
  const request = draft.state.requests[id];
  const decision: Decision = { request: id, service: service.spec.id };
  if (request === undefined) return conclude(draft, decision);
  const verdict = verdictOf(request.command.type, service, {
    graph: draft.state.graph,
    find: (other) => find(draft, other),
    since: request.since,
    at: draft.at,
  });
  if (verdict === 'pending') return;
  conclude(draft, verdict === 'reached' ? decision : { ...decision, failure: verdict });
};

const hearAll = (draft: Draft, service: Service): void =>
  service.awaitedBy.forEach((request) => hear(draft, service, request));

/** A service moved: whoever waits for it, or for a dependent that now waits in vain, hears of it. */
export const judge = (draft: Draft, { before, after }: Change): void => {
  const service = find(draft, after.spec.id);
  if (service === undefined) return;
  hearAll(draft, service);
  if (before.actual.tag === after.actual.tag && before.wanted === after.wanted) return;
  for (const id of dependentsOf(draft.state.graph, after.spec.id)) {
    const dependent = find(draft, id);
    if (dependent?.actual.tag === 'waiting' && dependent.awaitedBy.length > 0) hearAll(draft, dependent);
  }
};

/** The service left the roster: whoever waited for that has it. */
export const judgeRemoved = (draft: Draft, service: Service): void =>
  service.awaitedBy.forEach((request) => decide(draft, { request, service: service.spec.id }));
