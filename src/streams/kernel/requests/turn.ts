// A restart and an apply take their services in turn: what is done with one when its turn comes.
import type { Command } from '../../domain/command.ts';
import { shownId, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { rollbackOf, rolledBack } from '../../rollout/rollback.ts';
import { declaredOf, isTakenBack } from '../../rollout/runs.ts';
import { isNamed } from '../../selection/is-selected.ts';
import { find, put, putRequest, type Draft } from '../draft.ts';
import { rebuildGraph } from '../register.ts';
import { bring, callOff, longestTurn } from '../rollouts/bring.ts';
import { inVain } from '../rollouts/kept.ts';
import { answer } from './answer.ts';
import { isNews } from './news.ts';
import type { Request } from './request.ts';
import { awaitTarget } from './targets.ts';
import { isUpdated, update } from './update.ts';
import { notAgain } from './withdraw.ts';

/** Nothing is under way. */
const SETTLED: ReadonlySet<Tag> = new Set<Tag>([
  'up',
  'down',
  'scheduled',
  'backing-off',
  'broken',
  'casualty',
]);

/** An apply brings what is news, and at its turn that may be over: taken back, or brought by another command. */
const isToBring = ({ type }: Command, service: Service): boolean => {
  if (type === 'rollback') return rollbackOf(service) !== undefined;
  return type !== 'apply' || isNews(service);
};

/** It rests, or is there, as it was when the command came: there is nothing to wait for. */
const isLeftAlone = ({ command, before }: Request, service: Service): boolean => {
  const { actual, rollout, runs, spec } = service;
  const isAsItWas = rollout === undefined && runs === before[spec.id]?.runs && SETTLED.has(actual.tag);
  return isAsItWas && !isToBring(command, service);
};

/** A restart says anew whether `skip` is overridden; an apply leaves that be, and runs no job beside its schedule. */
export const insists = (command: Command, service: Service): boolean => {
  if (command.type === 'restart') return isNamed(service.spec, command.selection);
  return service.insisted && declaredOf(service).kind !== 'cron';
};

/** A restart of everything ends a scheduled run that is under way, and begins none: that run was nobody's to name. */
const cutShort = ({ command }: Request, service: Service): readonly string[] => {
  const { actual, runs, spec } = service;
  const isUnderWay = 'process' in actual && actual.tag !== 'stopping';
  if (command.type !== 'restart' || spec.kind !== 'cron' || !isUnderWay) return [];
  if (isNamed(spec, command.selection)) return [];
  return [`run ${runs} of ${shownId(spec.id)} was under way, and was ended by the restart`];
};

/** Its change was taken back while it is rolled out: that is called off, and the command waits for no more. */
const takeBack = (draft: Draft, id: RequestId, { rollout, spec }: Service): void => {
  const request = draft.state.requests[id];
  const known = request?.before[spec.id];
  if (request === undefined || known === undefined || rollout === undefined) return;
  const before = { ...request.before, [spec.id]: { ...known, takenBack: rollout.stages[0].at } };
  putRequest(draft, { ...request, before });
  notAgain(draft, spec.id);
  callOff(draft, spec.id);
};

/** Back to the last good declaration, which need not be what runs. */
const goBack = (draft: Draft, request: Request, service: Service): void => {
  const { id } = service.spec;
  const rollback = rollbackOf(service);
  const known = find(draft, id);
  if (rollback === undefined || known === undefined) return;
  put(draft, rolledBack(known, rollback));
  rebuildGraph(draft);
  if (rollback.tag === 'call-off') takeBack(draft, request.id, service);
  else if (rollback.tag === 'bring' && !update(draft, request, id)) bring(draft, id, service.insisted);
};

const begin = (draft: Draft, request: Request, service: Service): void => {
  const { id, command } = request;
  awaitTarget(draft, id, service);
  if (command.type === 'rollback') return goBack(draft, request, service);
  if (command.type === 'apply' && isTakenBack(service)) takeBack(draft, id, service);
  else if (isToBring(command, service) && !update(draft, request, service.spec.id))
    bring(draft, service.spec.id, insists(command, service));
};

/** It serves, and would be stopped only to wait for a need in vain. */
const keptBy = (draft: Draft, request: Request, service: Service): readonly SupError[] => {
  const { command } = request;
  if (!isToBring(command, service) || isUpdated(request, service)) return [];
  const found = inVain(draft, service, { insisted: insists(command, service) });
  return found?.isKept === true
    ? [{ code: 'ERR0109', service: service.spec.id, dependency: found.need }]
    : [];
};

/** Nothing is done at its turn, and that is all well, or why not. `undefined`: it is to be brought or waited for. */
const passed = (draft: Draft, request: Request, id: ServiceId): readonly SupError[] | undefined => {
  const service = find(draft, id);
  if (service === undefined || isLeftAlone(request, service)) return [];
  const failures = keptBy(draft, request, service);
  return failures.length === 0 ? undefined : failures;
};

/** Without those in front with whom nothing is done: all at once, as there may be more of them than calls can be nested. */
const passedBy = (draft: Draft, request: Request): Request => {
  const failures = [...request.failures];
  let count = 0;
  for (const id of request.queue) {
    const found = passed(draft, request, id);
    if (found === undefined) break;
    failures.push(...found);
    count += 1;
  }
  return { ...request, queue: request.queue.slice(count), undecided: request.undecided - count, failures };
};

/** The next service of the queue takes its turn, for `start_settle_secs` at the most. */
export const takeTurn = (draft: Draft, request: Request): void => {
  if (request.queue.length === 0) return;
  const left = passedBy(draft, request);
  const [turn, ...queue] = left.queue;
  const service = turn === undefined ? undefined : find(draft, turn);
  if (service === undefined) return answer(draft, left);
  const deadline = plus(draft.at, longestTurn(draft, service.spec.id));
  const warnings = [...left.warnings, ...cutShort(left, service)];
  const taken = { ...left, queue, turn: service.spec.id, deadline, warnings };
  putRequest(draft, taken);
  begin(draft, taken, service);
};
