// Children: processes that the supervisor runs at the request of a service (`sup spawn`). The supervisor
// first identifies the requesting process (`trace`), then spawns the child or refuses the request. A child
// has the same states and state table as a service.
import { askerIn } from '../children/check-caller-and-parent.ts';
import { createChild, isOvergrown } from '../children/create-child.ts';
import { asChild, asRun, spawnOfChild } from '../children/child-as-run.ts';
import { childOf, depthOf } from '../children/family.ts';
import { pastOf, withPast } from '../children/recorded-children.ts';
import { countReport, senderIn } from '../children/accept-reported-event.ts';
import { withoutNewest } from '../children/termination-policy.ts';
import type { Report } from '../domain/command.ts';
import type { NoteFacts } from '../domain/effect.ts';
import type { ServiceNews } from '../domain/event.ts';
import type { RequestId, RunId, ServiceId } from '../domain/ids.ts';
import type { Ancestry } from '../domain/service/ancestry.ts';
import { childrenIn, type Child, type PastChild } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { changeState, type Draft, find, put, putRequest } from './draft.ts';
import { answer, refuse, tellChild } from './requests/answer/command-reply.ts';
import type { Request } from './requests/request.ts';
import { servicesOf } from './service-table.ts';
import type { Input } from '../service/service-input.ts';
import { transition } from '../service/service-machine.ts';

/** Replies to the client that requested the child, when the child runs. */
const tellBegun = (draft: Draft, service: Service, child: Child): void => {
  const { askedBy, name, run, actual, expires } = child;
  const request = askedBy === undefined ? undefined : draft.state.requests[askedBy];
  if (request === undefined || !('process' in actual)) return;
  tellChild(draft, request, {
    ...{ service: service.spec.id, name, run, pid: actual.process.pid },
    depth: depthOf(service, child),
    ...(expires !== undefined && { expires }),
  });
};

/** Refuses the unanswered request for a child that ended before it ran. */
const tellRefused = (
  draft: Draft,
  service: ServiceId,
  [{ askedBy }, { error }]: readonly [Child, PastChild],
): void => {
  const request = askedBy === undefined ? undefined : draft.state.requests[askedBy];
  if (request === undefined) return;
  refuse(draft, request, error ?? { code: 'ERR0407', of: service });
};

const withChildren = (service: Service, children: readonly Child[]): Service => {
  const { children: _, ...rest } = service;
  return children.length === 0 ? rest : { ...rest, children };
};

/**
 * Stores the changed service, and queues it, so that the rules check what the change means for other
 * services.
 */
export const take = (draft: Draft, before: Service, after: Service): void => {
  if (after === before) return;
  put(draft, after);
  draft.work.push({ before, after });
};

const note = (draft: Draft, service: ServiceId, facts: NoteFacts): void => {
  draft.effects.push({ type: 'note', level: 'info', service, facts });
};

/**
 * Moves an ended child to `pastChildren`. If the request for the child is still unanswered, refuses the
 * request.
 */
const recordEnded = (draft: Draft, service: Service, [child, past]: readonly [Child, PastChild]): void => {
  const left = childrenIn(service).filter((one) => one !== child);
  const after = withPast(withChildren(service, left), past);
  take(draft, service, after);
  draft.children.push({ service: after, past });
  note(draft, service.spec.id, { tag: 'child-ended', past });
  tellRefused(draft, service.spec.id, [child, past]);
};

const begun = (draft: Draft, service: Service, child: Child): void => {
  const { askedBy: _, ...settled } = child;
  const { name, run, actual } = settled;
  if (actual.tag !== 'starting') return;
  const children = childrenIn(service).map((one) => (one === child ? settled : one));
  const after = withChildren(service, children);
  put(draft, after);
  draft.children.push({ service: after, child: settled });
  note(draft, service.spec.id, { tag: 'child-began', name, run, pid: actual.process.pid });
  tellBegun(draft, after, child);
};

const moved = (draft: Draft, service: Service, [before, after]: readonly [Child, Child]): void => {
  const children = childrenIn(service).map((one) => (one === before ? after : one));
  const changed = withChildren(service, children);
  take(draft, service, changed);
  if (before.actual.tag === 'spawning') begun(draft, changed, after);
};

/** Sends an input to a child of a service. Drops the input as outdated if the service has no such child. */
export const sendChild = (draft: Draft, id: ServiceId, [run, input]: readonly [RunId, Input]): void => {
  const service = find(draft, id);
  const child = service && childOf(service, run);
  if (service === undefined || child === undefined) return;
  const own = asRun(service, child);
  const { service: is, effects } = transition(own, input, {
    at: draft.at,
    settings: draft.state.settings,
    awaitedCompletion: false,
  });
  draft.effects.push(...effects);
  if (is === own) return;
  const next = asChild(child, is);
  if (next === undefined) recordEnded(draft, service, [child, pastOf(child, draft.at, is)]);
  else moved(draft, service, [child, next]);
};

type ChildNews = Exclude<
  ServiceNews,
  { type: 'hook-ended' | 'verified' | 'weighed' | 'changed' | 'unwatched' }
>;

/**
 * Returns the child that the event is about; `undefined` if the event is outdated or about the service
 * itself.
 */
export const childIn = (service: Service, news: ServiceNews): Child | undefined =>
  'run' in news ? childOf(service, news.run) : undefined;

const expire = (draft: Draft, service: Service, child: Child): void => {
  if (child.wanted === 'down') return;
  const children = childrenIn(service).map((one) =>
    one === child ? ({ ...child, wanted: 'down', ending: 'ttl' } as const) : one,
  );
  take(draft, service, withChildren(service, children));
};

/**
 * If the end of the child cannot be verified, turns the child into a leftover run, which blocks new runs of
 * the service.
 */
const makeLeftover = (draft: Draft, service: Service, child: Child): void => {
  const { actual, run } = child;
  if (actual.tag !== 'stopping' || actual.phase !== 'unverified') return;
  const alive = actual.survivors ?? [actual.process];
  const leftover = {
    run,
    process: actual.process,
    since: actual.phaseSince,
    alive,
    unverified: true,
  } as const;
  const left: Service = { ...service, remnants: [...(service.remnants ?? []), leftover] };
  recordEnded(draft, left, [child, pastOf(child, draft.at)]);
};

/**
 * Sends an event about a child to the state table. A child whose end cannot be verified becomes a leftover
 * run.
 */
export const routeToChild = (
  draft: Draft,
  service: Service,
  [child, news]: readonly [Child, ChildNews],
): void => {
  if (news.type === 'elapsed' && news.timer === 'ttl') return expire(draft, service, child);
  sendChild(draft, service.spec.id, [child.run, news]);
  const now = childAfter(draft, service, child);
  if (now !== undefined) makeLeftover(draft, now.service, now.child);
};

const childAfter = (
  draft: Draft,
  { spec: { id } }: Service,
  { run }: Child,
): { readonly service: Service; readonly child: Child } | undefined => {
  const service = find(draft, id);
  const child = service && childOf(service, run);
  return service === undefined || child === undefined ? undefined : { service, child };
};

/**
 * Records the memory, in bytes, that the service and its children use together. If it is over the limit,
 * stops the newest child.
 */
export const weighed = (draft: Draft, service: Service, bytes: number): void => {
  const now: Service = { ...service, treeMemory: bytes };
  put(draft, now);
  const goingForIt = childrenIn(now).some(({ wanted, ending }) => wanted === 'down' && ending === 'memory');
  if (isOvergrown(now) && !goingForIt) take(draft, now, withoutNewest(now));
};

/**
 * Begins a request for a child, or a report of a service: asks for the ancestry of the requesting process.
 */
export const askSpawn = (draft: Draft, request: Request): void =>
  putRequest(draft, { ...request, phase: 'tracing' });

const begin = (draft: Draft, before: Service, [after, child]: readonly [Service, Child]): void => {
  take(draft, before, after);
  draft.effects.push(spawnOfChild(after, child));
};

/**
 * Records an event that a service reports. Refuses the request if the service has reported too many events.
 */
const report = (draft: Draft, [request, given]: readonly [Request, Report], ancestry: Ancestry): void => {
  const sender = senderIn(servicesOf(draft.state.serviceTable), ancestry, given);
  if (!sender.ok) return refuse(draft, request, sender.error);
  const { service, run } = sender;
  const { id } = service.spec;
  const { counts, isTaken, missed } = countReport(draft.state.reports ?? {}, id, draft.at);
  changeState(draft, { reports: counts });
  if (!isTaken) return refuse(draft, request, { code: 'ERR0409', detail: 'more than 10 events in a second' });
  draft.effects.push({ type: 'report', service: id, run, report: given, missed });
  answer(draft, request);
};

/**
 * Continues a request when the ancestry of the requesting process is known: spawns the child, records the
 * report, or refuses the request.
 */
export const traced = (draft: Draft, id: RequestId, ancestry: Ancestry): void => {
  const request = draft.state.requests[id];
  if (request?.command.type === 'report') return report(draft, [request, request.command.report], ancestry);
  if (request?.command.type !== 'spawn') return;
  const { order } = request.command;
  if (draft.state.phase !== 'running') return refuse(draft, request, { code: 'ERR0206' });
  const asker = askerIn(servicesOf(draft.state.serviceTable), ancestry, order.unit);
  if (!asker.ok) return refuse(draft, request, asker.error);
  const { service, run: parent } = asker;
  const one = createChild(service, { parent, order, at: draft.at, request: id });
  if (!one.ok) return refuse(draft, request, one.error);
  putRequest(draft, { ...request, phase: 'awaiting' });
  begin(draft, service, [one.service, one.child]);
};
