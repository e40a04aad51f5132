// Children that must end: their service is not at rest before they have.
import type { Child } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';

/** Returns all living children, at any depth. */
export const childrenIn = ({ children = [] }: Service): readonly Child[] => children;

/** True if a child that must end is still alive: dependencies of the service wait for it. */
export const isFollowed = (service: Service): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
