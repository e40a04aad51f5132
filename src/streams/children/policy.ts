// What becomes of children when their parent ends (`spawn.limits.termination_policy`), and when the service is stopped.
import type { Child, ChildEnding } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import { isRunning } from '../graph/standing.ts';
import { above, livesAsParent } from './family.ts';
import { childrenIn } from './following.ts';

/** It is wanted no more, and not held up by anybody: whoever it has asked for goes with it, whomever they belong to. */
const isGoing = (service: Service): boolean => {
  const second = service.rollout?.other;
  return (
    service.wanted === 'down' &&
    !isRunning(service) &&
    (second === undefined || !isRunning(second) || second.wanted === 'down')
  );
};

const told = (child: Child, ending: ChildEnding): Child =>
  child.wanted === 'down' ? child : { ...child, wanted: 'down', ending };

/** Its parent has ended, or begun to. */
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

/** The service after everybody whose parent has ended was seen to; the same object where nobody's has. */
export const afterParents = (service: Service): Service => {
  const before = childrenIn(service);
  const going = isGoing(service);
  const fate = (child: Child): Child => (going ? told(child, 'stopped') : bereaved(service, child));
  const children = before.map(fate);
  return children.every((child, at) => child === before[at])
    ? service
    : afterParents({ ...service, children });
};

/** Those that are to end now: children before their parents, the newest first. */
export const dueToEnd = (service: Service): readonly Child[] => {
  const children = childrenIn(service);
  const parents = new Set(children.map(({ parent }) => parent));
  return children
    .filter(({ wanted, run, actual }) => wanted === 'down' && !parents.has(run) && isReleasable(actual))
    .toReversed();
};

const isReleasable = ({ tag }: Child['actual']): boolean => tag === 'starting' || tag === 'up';

/** The tree holds too much: the newest of those who are not on their way out is told to end. */
export const withoutNewest = (service: Service): Service => {
  const children = childrenIn(service);
  const newest = children.findLast(({ wanted }) => wanted === 'up');
  if (newest === undefined) return service;
  return {
    ...service,
    children: children.map((child) => (child === newest ? told(child, 'memory') : child)),
  };
};
