// Children of a service that must end before the service counts as stopped.
import type { Child } from '../domain/service/child.ts';
import type { ServiceFacts } from '../domain/service/service.ts';

/** Returns all living children of the service, at any depth. */
export const childrenIn = ({ children = [] }: Pick<ServiceFacts, 'children'>): readonly Child[] => children;

/** True if a child that must end is still alive; dependencies of the service stop only after it. */
export const isFollowed = (service: Pick<ServiceFacts, 'children'>): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
