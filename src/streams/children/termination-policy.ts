// Decides what happens to children when their parent ends (`spawn.limits.termination_policy`), or when the
// service is stopped.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends".
import { childrenIn, type Child, type ChildEnding } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { isRunning } from '../graph/dependency-state.ts';
import { above, livesAsParent } from './family.ts';

/** True if the service is stopping and none of its runs continues. All its children must then end. */
const isGoing = (service: Service): boolean => {
  const other = service.rollout?.other;
  return (
    service.wanted === 'down' &&
    !isRunning(service) &&
    (other === undefined || !isRunning(other) || other.wanted === 'down')
  );
};

const told = (child: Child, ending: ChildEnding): Child =>
  child.wanted === 'down' ? child : { ...child, wanted: 'down', ending };

/** Returns the child with `termination_policy` applied, if its parent has ended or is ending. */
const bereaved = (service: Service, child: Child): Child => {
  const { parent } = child;
  if (typeof parent !== 'number' || livesAsParent(service, parent)) return child;
  switch (service.spec.spawn.terminationPolicy) {
    case 'cascade':
      return told(child, 'parent');
    case 'orphan':
      return { ...child, parent: 'nobody' };
    case 'reparent':
      return { ...child, parent: above(service, parent) };
  }
};

/** Returns the service with `termination_policy` applied to all children that have outlived their parents. */
export const afterParents = (service: Service): Service => {
  const before = childrenIn(service);
  const going = isGoing(service);
  const fate = (child: Child): Child => (going ? told(child, 'stopped') : bereaved(service, child));
  const children = before.map(fate);
  return children.every((child, at) => child === before[at])
    ? service
    : afterParents({ ...service, children });
};

/** Returns the children to stop now, newest first. A child with children of its own waits for their end. */
export const dueToEnd = (service: Service): readonly Child[] => {
  const children = childrenIn(service);
  const parents = new Set(children.map(({ parent }) => parent));
  return children
    .filter(({ wanted, run, actual }) => wanted === 'down' && !parents.has(run) && isReleasable(actual))
    .toReversed();
};

const isReleasable = ({ tag }: Child['actual']): boolean => tag === 'starting' || tag === 'up';

/** Returns the service with its newest child marked to end. Children that are ending already are skipped. */
export const withoutNewest = (service: Service): Service => {
  const children = childrenIn(service);
  const newest = children.findLast(({ wanted }) => wanted === 'up');
  if (newest === undefined) return service;
  return {
    ...service,
    children: children.map((child) => (child === newest ? told(child, 'memory') : child)),
  };
};
