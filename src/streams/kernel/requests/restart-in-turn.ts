// Restart, apply and rollback change one service at a time: each service has its turn. If an apply or
// rollback needs no new run, the current run uses the other declaration. The newest command has priority: a
// service that it stops or removes leaves the queues of earlier commands, and these commands report ERR0117.
// Rules: `docs/behaviour.md`, "Restart by hand", "restart", "apply", "The newest command wins";
// `docs/behaviour.md`, "Instances", "One after another".
import type { Command } from '../../domain/command.ts';
import { groupOf, shownId, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { ms, plus, type Ms } from '../../domain/time.ts';
import { longestRollout } from '../../rollout/strategy.ts';
import { rollbackOf, rolledBack } from '../../rollout/rollback-spec.ts';
import { declaredOf, isTakenBack } from '../../rollout/two-runs.ts';
import { isNamed } from '../../selection/match.ts';
import { find, put, putRequest, serviceIs, type Draft } from '../draft.ts';
import { rebuildGraph } from '../register-manifests.ts';
import { bring, callOff, isRolled } from '../rollouts/begin-rollout.ts';
import { inVain } from '../rollouts/restart-in-vain.ts';
import { answer } from './answer/command-reply.ts';
import { isNew, isNews } from './selected-services.ts';
import { orderOf, type Request } from './request.ts';
import { awaitTarget } from './set-targets.ts';
import { calledOff } from './answer/target-outcome.ts';
import { differenceOf } from '../../rollout/changed-keys.ts';
import { liveNames, liveRevision, withoutRestart } from '../../rollout/without-restart.ts';
import { reboundTo } from '../../cron/next-run-time.ts';

/** Returns a copy of the request in which the withdrawn services have left the queue and count as failed. */
const without = (request: Request, withdrawn: readonly ServiceId[]): Request => ({
  ...request,
  queue: request.queue.filter((id) => !withdrawn.includes(id)),
  undecided: request.undecided - withdrawn.length,
  failures: [...request.failures, ...withdrawn.map(calledOff)],
});

/** Cancels the restart that would begin after the rollout in progress. */
const notAgain = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.rollout?.again === undefined) return;
  const { again: _, ...rollout } = service.rollout;
  put(draft, { ...service, rollout });
};

/**
 * Removes services from the queues of older commands, so that these commands no longer start new runs of the
 * services.
 */
export const withdraw = (draft: Draft, services: readonly ServiceId[]): void => {
  services.forEach((id) => notAgain(draft, id));
  const ids = new Set(services);
  for (const request of Object.values(draft.state.requests)) {
    const withdrawn = request.queue.filter((id) => ids.has(id));
    if (withdrawn.length > 0) putRequest(draft, without(request, withdrawn));
  }
};

/** True if the current run can use the newer declaration. A restart always needs a new run. */
const isUpdated = ({ command }: Request, service: Service): boolean =>
  command.type !== 'restart' && liveRevision(service) !== undefined;

const remember = (
  draft: Draft,
  { id }: Request,
  [service, live]: readonly [ServiceId, readonly string[]],
) => {
  const request = draft.state.requests[id];
  const before = request?.before[service];
  if (request === undefined || before === undefined) return;
  putRequest(draft, { ...request, before: { ...request.before, [service]: { ...before, live } } });
};

/** Lets the current run use the newer declaration. Returns false if a new run is needed. */
const update = (draft: Draft, request: Request, id: ServiceId): boolean => {
  const service = find(draft, id);
  const revision = service && isUpdated(request, service) ? liveRevision(service) : undefined;
  if (service === undefined || revision === undefined) return false;
  const live = liveNames(differenceOf(service.spec, revision));
  put(draft, reboundTo(service, withoutRestart(service, revision), draft.at));
  rebuildGraph(draft);
  const text = `took up without a restart: ${live.join(', ')}`;
  draft.effects.push({ type: 'note', service: id, level: 'info', text });
  remember(draft, request, [id, live]);
  return true;
};

/** States in which no start or stop is in progress. */
const SETTLED: ReadonlySet<Tag> = new Set<Tag>([
  'up',
  'down',
  'scheduled',
  'backing-off',
  'broken',
  'casualty',
]);

/** True if the command still has to change the service; another command may have done it already. */
const isToBring = ({ type }: Command, service: Service): boolean => {
  if (type === 'rollback') return rollbackOf(service) !== undefined;
  return type !== 'apply' || isNews(service);
};

/**
 * True if the service has not changed since the command arrived and the command has nothing to change in it.
 */
const isLeftAlone = ({ command, before }: Request, service: Service): boolean => {
  const { actual, rollout, runs, spec } = service;
  const isAsItWas = rollout === undefined && runs === before[spec.id]?.runs && SETTLED.has(actual.tag);
  return isAsItWas && !isToBring(command, service);
};

/**
 * True if the new run ignores `skip`: a restart names the service, or an apply replaces a run that already
 * ignores `skip`.
 */
export const insists = (command: Command, service: Service): boolean => {
  if (command.type === 'restart') return isNamed(service.spec, command.selection);
  return service.insisted && declaredOf(service).kind !== 'cron';
};

/**
 * Returns a warning if a restart stops a scheduled run and starts no new run, because it does not name the
 * service.
 */
const cutShort = ({ command }: Request, service: Service): readonly string[] => {
  const { actual, runs, spec } = service;
  const isUnderWay = 'process' in actual && actual.tag !== 'stopping';
  if (command.type !== 'restart' || spec.kind !== 'cron' || !isUnderWay) return [];
  if (isNamed(spec, command.selection)) return [];
  return [`run ${runs} of ${shownId(spec.id)} was under way, and was ended by the restart`];
};

/** Returns the declaration that the command gives to the next run. */
const nextOf = ({ command }: Request, service: Service): ServiceSpec => {
  const rollback = command.type === 'rollback' ? rollbackOf(service) : undefined;
  if (rollback === undefined) return declaredOf(service);
  return rollback.tag === 'bring' ? rollback.to : service.spec;
};

/**
 * Returns a warning if the next run has no blue/green slot any more. No `switch_command` then sends the
 * traffic to this run.
 */
const unswitched = (request: Request, service: Service): readonly string[] => {
  const { slot, spec } = service;
  const isLeft = spec.deployment.blueGreen !== undefined;
  if (!isLeft || slot === undefined || nextOf(request, service).deployment.blueGreen !== undefined) return [];
  return [
    `${shownId(spec.id)} has no blue_green any more, so nothing is switched: its traffic still goes to slot ${slot}, where no run is left`,
  ];
};

/**
 * Cancels a rollout that the manifest no longer asks for. The command then waits only for the end of that
 * rollout.
 */
const takeBack = (draft: Draft, id: RequestId, { rollout, spec }: Service): void => {
  const request = draft.state.requests[id];
  const known = request?.before[spec.id];
  if (request === undefined || known === undefined || rollout === undefined) return;
  const before = { ...request.before, [spec.id]: { ...known, takenBack: rollout.stages[0].at } };
  putRequest(draft, { ...request, before });
  notAgain(draft, spec.id);
  callOff(draft, spec.id);
};

/**
 * Rolls the service back to the last declaration that worked: cancels the rollout in progress, keeps the
 * present run, or starts a new run.
 */
const goBack = (draft: Draft, request: Request, service: Service): void => {
  const { id } = service.spec;
  const rollback = rollbackOf(service);
  const known = find(draft, id);
  if (rollback === undefined || known === undefined) return;
  put(draft, rolledBack(known, rollback));
  rebuildGraph(draft);
  if (rollback.tag === 'call-off') takeBack(draft, request.id, service);
  else if (rollback.tag === 'bring' && !update(draft, request, id))
    bring(draft, id, { insisted: service.insisted, ...orderOf(request) });
};

const begin = (draft: Draft, request: Request, service: Service): void => {
  const { id, command } = request;
  awaitTarget(draft, id, service);
  if (command.type === 'rollback') return goBack(draft, request, service);
  if (command.type === 'apply' && isTakenBack(service)) takeBack(draft, id, service);
  else if (isToBring(command, service) && !update(draft, request, service.spec.id))
    bring(draft, service.spec.id, { insisted: insists(command, service), ...orderOf(request) });
};

/**
 * Returns ERR0109 if the current run serves now, and a new run that replaces it would wait in vain for a
 * dependency. The current run then continues.
 */
const keptBy = (draft: Draft, request: Request, service: Service): readonly SupError[] => {
  const { command } = request;
  if (!isToBring(command, service) || isUpdated(request, service)) return [];
  const found = inVain(draft, service, { insisted: insists(command, service) });
  return found?.isKept === true
    ? [{ code: 'ERR0109', service: service.spec.id, dependency: found.need }]
    : [];
};

/**
 * Returns the failures of a service that needs no turn, usually an empty list; `undefined` if the service
 * needs a turn.
 */
const passed = (draft: Draft, request: Request, id: ServiceId): readonly SupError[] | undefined => {
  const service = find(draft, id);
  if (service === undefined || isLeftAlone(request, service)) return [];
  const failures = keptBy(draft, request, service);
  return failures.length === 0 ? undefined : failures;
};

/**
 * Removes the services that need no turn from the front of the queue. A loop is used, because recursion over
 * a long queue would overflow the stack.
 */
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

/** Lets the service keep its present declaration until an apply or restart retries the newer declaration. */
const keepPresent = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.revised === undefined) return;
  put(draft, rolledBack(service, { tag: 'keep' }));
  rebuildGraph(draft);
};

const isSettledBefore = (draft: Draft, id: ServiceId): boolean =>
  serviceIs(draft, id, (service) => !isNew(service));

/**
 * Returns the request after one instance of a service has failed: the other instances, unless they are new,
 * leave the queue and stay as they are. So a bad declaration takes down only one instance.
 */
export const withoutOthers = (draft: Draft, request: Request, failed: ServiceId): Request => {
  const group = groupOf(failed);
  const others = request.queue.filter((id) => groupOf(id) === group && isSettledBefore(draft, id));
  if (group === failed || others.length === 0) return request;
  others.forEach((id) => keepPresent(draft, id));
  const names = others.map(shownId).join(', ');
  return {
    ...request,
    queue: request.queue.filter((id) => !others.includes(id)),
    undecided: request.undecided - others.length,
    warnings: [...request.warnings, `left as before, because ${shownId(failed)} failed: ${names}`],
  };
};

/**
 * Returns how long a turn may take, ms. A service that is not ready by then is reported (ERR0107), and the
 * next one has its turn.
 */
export const longestTurn = (draft: Draft, id: ServiceId): Ms => {
  const { settings } = draft.state;
  const service = find(draft, id);
  if (service === undefined || !isRolled(draft, service)) return settings.startSettle;
  return ms(settings.startSettle + longestRollout(declaredOf(service), settings));
};

/**
 * Gives the turn to the next service of the request's queue. The turn has a deadline: `longestTurn` from now.
 */
export const takeTurn = (draft: Draft, request: Request): void => {
  if (request.queue.length === 0) return;
  const left = passedBy(draft, request);
  const [turn, ...queue] = left.queue;
  const service = turn === undefined ? undefined : find(draft, turn);
  if (service === undefined) return answer(draft, left);
  const deadline = plus(draft.at, longestTurn(draft, service.spec.id));
  const warnings = [...left.warnings, ...cutShort(left, service), ...unswitched(left, service)];
  const taken = { ...left, queue, turn: service.spec.id, deadline, warnings };
  putRequest(draft, taken);
  begin(draft, taken, service);
};
