// The only way in which the kernel drives a child: an input goes through the service table, and the draft
// takes the result.
import type { NoteFacts } from '../../domain/effect.ts';
import type { ServiceId, RunId } from '../../domain/ids.ts';
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { Service } from '../../domain/service/service.ts';
import { asChild, asRun } from '../../children/run.ts';
import { childOf, depthOf } from '../../children/family.ts';
import { childrenIn } from '../../children/following.ts';
import { pastOf, withPast } from '../../children/past.ts';
import type { Input } from '../../service/input.ts';
import { transition } from '../../service/machine.ts';
import { find, put, type Draft } from '../draft.ts';
import { refuse, tellChild } from '../requests/answer.ts';

// Replies to a request for a child: that it runs, or why it does not.

/** Replies once the child has a process; the request may be gone by then. */
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

/** The child never ran. */
const tellRefused = (
  draft: Draft,
  service: ServiceId,
  [{ askedBy }, { error }]: readonly [Child, PastChild],
): void => {
  const request = askedBy === undefined ? undefined : draft.state.requests[askedBy];
  if (request === undefined) return;
  refuse(draft, request, error ?? { code: 'ERR0407', of: service });
};

/** The service with these children; without the list if there are none. */
export const withChildren = (service: Service, children: readonly Child[]): Service => {
  const { children: _, ...rest } = service;
  return children.length === 0 ? rest : { ...rest, children };
};

/** Stores the changed service, to be visited by propagation. */
export const take = (draft: Draft, before: Service, after: Service): void => {
  if (after === before) return;
  put(draft, after);
  draft.work.push({ before, after });
};

const note = (draft: Draft, service: ServiceId, facts: NoteFacts): void => {
  draft.effects.push({ type: 'note', level: 'info', service, facts });
};

/** Moves a finished child to `pastChildren`, and refuses a request that still waits for it. */
export const bury = (draft: Draft, service: Service, [child, past]: readonly [Child, PastChild]): void => {
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

/** Sends one input to one child; news of an unknown child is outdated. */
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
  if (next === undefined) bury(draft, service, [child, pastOf(child, draft.at, is)]);
  else moved(draft, service, [child, next]);
};
