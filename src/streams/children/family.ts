// The relation of parents and children among the living children of a service.
import type { Child, ChildParent } from '../domain/service/child.ts';
import type { RunId } from '../domain/ids.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { isRunning } from '../graph/dependency-state.ts';
import { presentRun } from '../service/service-input.ts';
import { childrenIn } from './ending-children.ts';

/**
 * Returns the child with this run number, among children and children of children; `undefined` if there is
 * none.
 */
export const childOf = (service: Service, run: RunId): Child | undefined =>
  childrenIn(service).find((child) => child.run === run);

/**
 * True if the run with this number is alive and not ending. The number can be that of a run of the service or
 * of one of its children.
 */
export const livesAsParent = (service: Service, run: RunId): boolean => {
  const own = runsOf(service).find((one) => presentRun(one) === run);
  if (own !== undefined) return isRunning(own);
  const child = childOf(service, run);
  return child !== undefined && child.wanted === 'up' && isRunning(child);
};

/** Returns the depth of a child in the family tree: 1 for a child of the service itself. */
export const depthOf = (service: Service, { parent }: Pick<Child, 'parent'>): number => {
  const above = typeof parent === 'number' ? childOf(service, parent) : undefined;
  return above === undefined ? 1 : 1 + depthOf(service, above);
};

/**
 * Returns the direct children of this run. Children whose own parent has ended and that now belong to the
 * service count for each run of the service.
 */
export const childrenBelow = (service: Service, parent: RunId): readonly Child[] => {
  const own = childOf(service, parent) === undefined;
  const isBelow = (of: ChildParent): boolean => of === parent || (own && of === 'service');
  return childrenIn(service).filter((child) => isBelow(child.parent));
};

/**
 * Returns the parent that a child gets when its own parent ends: the nearest living ancestor, or the
 * service.
 */
export const above = (service: Service, run: RunId): ChildParent => {
  const parent = childOf(service, run)?.parent;
  if (typeof parent !== 'number') return parent ?? 'service';
  if (livesAsParent(service, parent)) return parent;
  return above(service, parent);
};
