// News of a child, and of the memory that its tree uses.
import type { ServiceNews } from '../../domain/event.ts';
import type { Child } from '../../domain/service/child.ts';
import type { Service } from '../../domain/service/service.ts';
import { childOf } from '../../children/family.ts';
import { childrenIn } from '../../children/following.ts';
import { isOvergrown } from '../../children/limits.ts';
import { pastOf } from '../../children/past.ts';
import { withoutNewest } from '../../children/policy.ts';
import { find, put, type Draft } from '../draft.ts';
import { bury, sendChild, take, withChildren } from './send.ts';

type Told = Exclude<ServiceNews, { type: 'hook-ended' | 'verified' | 'weighed' }>;

/** The child with the run of the news; `undefined` if they are about the service itself or outdated. */
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
 * Gives up a child that could not be verified to have ended: its rest is killed as a leftover and blocks new
 * runs.
 */
const giveUp = (draft: Draft, service: Service, child: Child): void => {
  const { actual, run } = child;
  if (actual.tag !== 'stopping' || actual.phase !== 'unverified') return;
  const alive = actual.survivors ?? [actual.process];
  const remnant = {
    run,
    process: actual.process,
    since: actual.phaseSince,
    alive,
    unverified: true,
  } as const;
  const left: Service = { ...service, remnants: [...(service.remnants ?? []), remnant] };
  bury(draft, left, [child, pastOf(child, draft.at)]);
};

/**
 * Handles news through the service table, except for the time to live. An end that cannot be verified is
 * given up.
 */
export const tellChildNews = (
  draft: Draft,
  service: Service,
  [child, news]: readonly [Child, Told],
): void => {
  if (news.type === 'elapsed' && news.timer === 'ttl') return expire(draft, service, child);
  sendChild(draft, service.spec.id, [child.run, news]);
  const now = childAfter(draft, service, child);
  if (now !== undefined) giveUp(draft, now.service, now.child);
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
 * Over the limit, stops children one at a time, the newest first; the next measurement shows if that was
 * enough.
 */
export const weighed = (draft: Draft, service: Service, bytes: number): void => {
  const now: Service = { ...service, treeMemory: bytes };
  put(draft, now);
  const goingForIt = childrenIn(now).some(({ wanted, ending }) => wanted === 'down' && ending === 'memory');
  if (isOvergrown(now) && !goingForIt) take(draft, now, withoutNewest(now));
};
