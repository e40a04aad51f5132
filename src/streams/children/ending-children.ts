// Children that must end: their service is not at rest before they have.
import type { Child } from '../domain/service/child.ts';
import type { ServiceFacts } from '../domain/service/service.ts';

/** Returns all living children, at any depth. */
export const childrenIn = ({ children = [] }: Pick<ServiceFacts, 'children'>): readonly Child[] => children;

/** True if a child that must end is still alive: dependencies of the service wait for it. */
export const isFollowed = (service: Pick<ServiceFacts, 'children'>): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
