// What `spawn.limits` allows, and the spawns per second (`docs/manifest.md`, "spawn").
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import type { Grant } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { ms, type Instant } from '../domain/time.ts';
import { childOf, childrenBelow, depthOf } from './family.ts';
import { childrenIn } from './following.ts';

const WINDOW = ms(1_000);
const MOST_IN_WINDOW = 10;

/** Returns the grants that are less than a second old. */
export const recentGrants = ({ grants = [] }: Service, now: Instant): readonly Grant[] =>
  grants.filter(({ at }) => now - at < WINDOW && at <= now);

const tooFast = (service: Service, parent: RunId, now: Instant): SupError | undefined => {
  const own = recentGrants(service, now).filter((grant) => grant.parent === parent);
  const [first] = own;
  if (first === undefined || own.length < MOST_IN_WINDOW) return undefined;
  return { code: 'ERR0404', of: service.spec.id, wait: ms(first.at + WINDOW - now) };
};

const depthBelow = (service: Service, parent: RunId): number => {
  const child = childOf(service, parent);
  return child === undefined ? 1 : depthOf(service, child) + 1;
};

const reached = (service: Service, parent: RunId): SupError | undefined => {
  const { id, spawn } = service.spec;
  const present = {
    depth: depthBelow(service, parent) - 1,
    children: childrenBelow(service, parent).length,
    descendants: childrenIn(service).length,
  };
  for (const limit of ['depth', 'children', 'descendants'] as const)
    if (present[limit] >= spawn[limit]) return { code: 'ERR0403', of: id, limit, allowed: spawn[limit] };
  return undefined;
};

/** True if the last measured memory exceeds the limit. */
export const isOvergrown = ({ spec, treeMemory = 0 }: Service): boolean =>
  spec.spawn.totalMemory !== undefined && treeMemory > spec.spawn.totalMemory;

const overgrown = (service: Service): SupError | undefined =>
  isOvergrown(service)
    ? {
        code: 'ERR0403',
        of: service.spec.id,
        limit: 'total_memory',
        allowed: service.spec.spawn.totalMemory ?? 0,
      }
    : undefined;

/** Returns why this run may not have another child now; `undefined` if it may. */
export const refusalOf = (service: Service, parent: RunId, now: Instant): SupError | undefined =>
  reached(service, parent) ?? overgrown(service) ?? tooFast(service, parent, now);
