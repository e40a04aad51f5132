// Who is whose child, among the living children of a service.
import type { Child, ChildParent } from '../domain/service/child.ts';
import type { RunId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { isRunning } from '../graph/standing.ts';
import { presentRun } from '../service/input.ts';
import { childrenIn } from './following.ts';

/** The child that is this run, wherever it stands in the family; `undefined`: none, or it is over. */
export const childOf = (service: Service, run: RunId): Child | undefined =>
  childrenIn(service).find((child) => child.run === run);

/** It lives and is not ending: the service by any of its runs, or one of its children. */
export const livesAsParent = (service: Service, run: RunId): boolean => {
  if (run === presentRun(service)) return isRunning(service);
  const second = service.rollout?.other;
  if (second !== undefined && run === presentRun(second)) return isRunning(second);
  const child = childOf(service, run);
  return child !== undefined && child.wanted === 'up' && isRunning(child);
};

/** 1 for a child of the service itself. */
export const depthOf = (service: Service, { parent }: Pick<Child, 'parent'>): number => {
  const above = typeof parent === 'number' ? childOf(service, parent) : undefined;
  return above === undefined ? 1 : 1 + depthOf(service, above);
};

/** Whose children count as this one's: those that moved up to the service are any run's. */
export const childrenBelow = (service: Service, parent: RunId): readonly Child[] => {
  const own = childOf(service, parent) === undefined;
  const isBelow = (of: ChildParent): boolean => of === parent || (own && of === 'service');
  return childrenIn(service).filter((child) => isBelow(child.parent));
};

/** To whom a child moves up when its parent ends: the parent's parent, or whichever run the service has. */
export const above = (service: Service, run: RunId): ChildParent => {
  const parent = childOf(service, run)?.parent;
  if (typeof parent !== 'number') return parent ?? 'service';
  if (livesAsParent(service, parent)) return parent;
  return above(service, parent);
};
