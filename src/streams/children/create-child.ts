// Creates a child of a service, if `spawn.limits` and the rate limit permit it (`docs/manifest.md`, "spawn").
// Rules: `docs/behaviour.md`, "Children that a service asks for", "A child is a run".
import { childOf, childrenBelow, depthOf } from './family.ts';
import type { SupError } from '../domain/errors/error.ts';
import { type RequestId, runId, type RunId } from '../domain/ids.ts';
import { childrenIn, type Child, type ChildOrder, type Grant } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { type Instant, ms, plus } from '../domain/time.ts';
import { highestRun } from '../rollout/two-runs.ts';

const WINDOW = ms(1_000);
const MOST_IN_WINDOW = 10;

/** Returns the records of the children that were granted less than a second ago. */
const recentGrants = ({ grants = [] }: Service, now: Instant): readonly Grant[] =>
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

/** True if the service and its children used more memory than the limit at the last measurement. */
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

/** Returns the error that refuses another child of the run `parent`; `undefined` if it is permitted. */
const refusalOf = (service: Service, parent: RunId, now: Instant): SupError | undefined =>
  reached(service, parent) ?? overgrown(service) ?? tooFast(service, parent, now);

interface ChildRequest {
  readonly parent: RunId;
  readonly order: ChildOrder;
  readonly at: Instant;
  readonly request: RequestId;
}

type ChildResult =
  | { readonly ok: true; readonly service: Service; readonly child: Child }
  | { readonly ok: false; readonly error: SupError };

/** Returns `child-1`, or the next such name that no living child of this parent has. */
const freeName = (taken: ReadonlySet<string>): string => {
  let number = 1;
  while (taken.has(`child-${number}`)) number += 1;
  return `child-${number}`;
};

const newChild = ({ parent, order, at, request }: ChildRequest, name: string, run: RunId): Child => ({
  ...{ name, run, parent, argv: order.argv, born: at, wanted: 'up' },
  ...(order.ttl !== undefined && { ttl: order.ttl, expires: plus(at, order.ttl) }),
  actual: { tag: 'spawning', run },
  askedBy: request,
});

/** Returns the service with one more child, which is about to start, or the error that refuses the child. */
export const createChild = (service: Service, request: ChildRequest): ChildResult => {
  const { parent, order, at } = request;
  const error = refusalOf(service, parent, at);
  if (error !== undefined) return { ok: false, error };
  const taken = new Set(childrenBelow(service, parent).map(({ name }) => name));
  const name = order.name ?? freeName(taken);
  if (taken.has(name)) return { ok: false, error: { code: 'ERR0405', of: service.spec.id, taken: name } };
  const run = runId(highestRun(service) + 1);
  const child = newChild(request, name, run);
  return {
    ok: true,
    child,
    service: {
      ...service,
      numbered: run,
      children: [...(service.children ?? []), child],
      grants: [...recentGrants(service, at), { parent, at }],
    },
  };
};
