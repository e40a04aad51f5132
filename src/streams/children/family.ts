// Finds parents and children among the living children of a service.
import { childrenIn, type Child, type ChildParent } from '../domain/service/child.ts';
import type { RunId } from '../domain/ids.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { isRunning } from '../graph/dependency-state.ts';
import { presentRun } from '../service/service-input.ts';

/** Returns the child with this run number, of any depth. */
export const childOf = (service: Service, run: RunId): Child | undefined =>
  childrenIn(service).find((child) => child.run === run);

/** True if this run, of the service or of a child, is alive and is not ending. */
export const livesAsParent = (service: Service, run: RunId): boolean => {
  const own = runsOf(service).find((one) => presentRun(one) === run);
  if (own !== undefined) return isRunning(own);
  const child = childOf(service, run);
  return child !== undefined && child.wanted === 'up' && isRunning(child);
};

/** Returns the depth of a child: 1 for a child that the service itself requested. */
export const depthOf = (service: Service, { parent }: Pick<Child, 'parent'>): number => {
  const above = typeof parent === 'number' ? childOf(service, parent) : undefined;
  return above === undefined ? 1 : 1 + depthOf(service, above);
};

/**
 * Returns the direct children of a run (`parent`), which is a run of the service or of a child. Every run of
 * the service has as children those that the service itself requested.
 */
export const childrenBelow = (service: Service, parent: RunId): readonly Child[] => {
  const own = childOf(service, parent) === undefined;
  const isBelow = (of: ChildParent): boolean => of === parent || (own && of === 'service');
  return childrenIn(service).filter((child) => isBelow(child.parent));
};

/** Returns the new parent of a child that loses its parent: the nearest living ancestor, or the service. */
export const above = (service: Service, run: RunId): ChildParent => {
  const parent = childOf(service, run)?.parent;
  if (typeof parent !== 'number') return parent ?? 'service';
  if (livesAsParent(service, parent)) return parent;
  return above(service, parent);
};
