// What an apply has to do with a service: it is new, it is back, or it does not run as it is declared by now.
import type { Service } from '../../domain/service/service.ts';
import { isRunning } from '../../graph/standing.ts';

/** Declared again before it was gone. */
export const isBack = ({ resume, leaving }: Service): boolean => resume && !leaving;

/** It is back, and has to be brought up anew: one whose stop has not begun, or never had to, just goes on. */
export const isReturning = (service: Service): boolean => isBack(service) && !isRunning(service);

/** Nobody has asked anything of it yet. */
export const isNew = ({ actual }: Service): boolean => actual.tag === 'down' && actual.why.tag === 'new';

/** It does not run as it is declared. Who was stopped stays down, and takes up the declaration when it is started. */
export const isNews = (service: Service): boolean =>
  isNew(service) || isReturning(service) || (service.revised !== undefined && service.wanted === 'up');
