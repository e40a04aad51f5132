// Creates a child of a service: its name, its number, and the record of the spawn.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "A child is a run".
import type { SupError } from '../domain/errors/error.ts';
import { runId, type RequestId, type RunId } from '../domain/ids.ts';
import type { Child, ChildOrder } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { plus, type Instant } from '../domain/time.ts';
import { highestRun } from '../rollout/runs.ts';
import { childrenBelow } from './family.ts';
import { recentGrants, refusalOf } from './limits.ts';

interface Asked {
  readonly parent: RunId;
  readonly order: ChildOrder;
  readonly at: Instant;
  readonly request: RequestId;
}

type Born =
  | { readonly ok: true; readonly service: Service; readonly child: Child }
  | { readonly ok: false; readonly error: SupError };

/** Returns `child-1`, or the next name that no living child of this parent has. */
const freeName = (taken: ReadonlySet<string>): string => {
  let number = 1;
  while (taken.has(`child-${number}`)) number += 1;
  return `child-${number}`;
};

const newborn = ({ parent, order, at, request }: Asked, name: string, run: RunId): Child => ({
  ...{ name, run, parent, argv: order.argv, born: at, wanted: 'up' },
  ...(order.ttl !== undefined && { ttl: order.ttl, expires: plus(at, order.ttl) }),
  actual: { tag: 'spawning', run },
  askedBy: request,
});

/** Returns the service with one more child, which is about to start, or the error that refuses it. */
export const born = (service: Service, asked: Asked): Born => {
  const { parent, order, at } = asked;
  const error = refusalOf(service, parent, at);
  if (error !== undefined) return { ok: false, error };
  const taken = new Set(childrenBelow(service, parent).map(({ name }) => name));
  const name = order.name ?? freeName(taken);
  if (taken.has(name)) return { ok: false, error: { code: 'ERR0405', of: service.spec.id, taken: name } };
  const run = runId(highestRun(service) + 1);
  const child = newborn(asked, name, run);
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
