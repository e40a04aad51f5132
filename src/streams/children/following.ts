// Children that are to end: their service does not come to rest before they have.
import type { Child } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';

/** All that live, at any depth. */
export const childrenIn = ({ children = [] }: Service): readonly Child[] => children;

/** Some of its children are to end and have not: whoever follows it waits for them. */
export const isFollowed = (service: Service): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
