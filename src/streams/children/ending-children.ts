// The living children of a service, and whether some of them must end.
import type { Child } from '../domain/service/child.ts';
import type { ServiceFacts } from '../domain/service/service.ts';

/** Returns all living children of the service, of any depth. */
export const childrenIn = ({ children = [] }: Pick<ServiceFacts, 'children'>): readonly Child[] => children;

/** True if a child that must end is alive. Dependencies of the service are stopped only after it. */
export const isFollowed = (service: Pick<ServiceFacts, 'children'>): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
