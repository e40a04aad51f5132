// Requests hear of each service that they await, and are answered when all are decided.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { declaredOf, isTakenBack } from '../../deploy/runs.ts';
import { isNamed } from '../../selection/is-selected.ts';
import { find, put, putRequest, type Draft, type Visit } from '../draft.ts';
import { bring, callOff, longestTurn } from '../rollouts/bring.ts';
import { answer } from './answer.ts';
import { isNews } from './news.ts';
import type { Request } from './request.ts';
import { awaitTarget } from './targets.ts';
import { calledOff, verdictOf } from './verdict.ts';

/** Nothing is under way. */
const SETTLED: ReadonlySet<Tag> = new Set<Tag>([
  'up',
  'down',
  'scheduled',
  'backing-off',
  'broken',
  'casualty',
]);

/** Restart is one at a time: the next service of the queue takes its turn, for `start_settle_secs` at the most. */
export const takeTurn = (draft: Draft, request: Request): void => {
  const [turn, ...queue] = request.queue;
  if (turn === undefined) return;
  putRequest(draft, { ...request, queue, turn, deadline: plus(draft.at, longestTurn(draft, turn)) });
  const service = find(draft, turn);
  if (service === undefined || isLeftAlone(request, service))
    return count(draft, { request: request.id, service: turn });
  awaitTarget(draft, request.id, service);
  if (request.command.type === 'apply' && isTakenBack(service)) takeBack(draft, request.id, service);
  else if (isToBring(request.command, service)) bring(draft, turn, insists(request.command, service));
};

/** Its change was taken back while it is rolled out: that is called off, and the command waits for no more. */
const takeBack = (draft: Draft, id: RequestId, { rollout, spec }: Service): void => {
  const request = draft.state.requests[id];
  const known = request?.before[spec.id];
  if (request === undefined || known === undefined || rollout === undefined) return;
  const before = { ...request.before, [spec.id]: { ...known, takenBack: rollout.stages[0].at } };
  putRequest(draft, { ...request, before });
  callOff(draft, spec.id);
};

/** An apply brings what is news, and at its turn that may be over: taken back, or brought by another command. */
const isToBring = ({ type }: Command, service: Service): boolean => type !== 'apply' || isNews(service);

/** It rests, or is there, as it was when the command came: there is nothing to wait for. */
const isLeftAlone = ({ command, before }: Request, service: Service): boolean => {
  const { actual, rollout, runs, spec } = service;
  const isAsItWas = rollout === undefined && runs === before[spec.id]?.runs && SETTLED.has(actual.tag);
  return isAsItWas && !isToBring(command, service);
};

/** A restart says anew whether `skip` is overridden; an apply leaves that be, and runs no job beside its schedule. */
const insists = (command: Command, service: Service): boolean => {
  if (command.type === 'restart') return isNamed(service.spec, command.selection);
  return service.insisted && declaredOf(service).kind !== 'cron';
};

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

/** A service moved: whoever awaits it, or a dependent that now waits in vain, hears of it. */
export const hear = (draft: Draft, { before, after }: Visit): void => {
  const service = find(draft, after.spec.id);
  if (service === undefined) return;
  tell(draft, service);
  if (before.actual.tag === after.actual.tag && before.wanted === after.wanted) return;
  for (const id of dependentsOf(draft.state.graph, after.spec.id)) {
    const dependent = find(draft, id);
    if (dependent?.actual.tag === 'waiting' && dependent.awaitedBy.length > 0) tell(draft, dependent);
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
