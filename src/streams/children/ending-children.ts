// Finds children of a service that must end. The service does not count as stopped before they have ended.
import type { Child } from '../domain/service/child.ts';
import type { ServiceFacts } from '../domain/service/service.ts';

/** Returns all living children of the service, including children of children. */
export const childrenIn = ({ children = [] }: Pick<ServiceFacts, 'children'>): readonly Child[] => children;

/** True if a child that must end is still alive. Dependencies of its service stop only after that child. */
export const isFollowed = (service: Pick<ServiceFacts, 'children'>): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
