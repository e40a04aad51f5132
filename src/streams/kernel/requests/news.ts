// What an apply has to do with a service: it is new, declared again, or runs with an older declaration.
// Rules: `docs/behaviour.md`, "Restart by hand", "apply".
import type { Service } from '../../domain/service/service.ts';
import { isRunning } from '../../graph/standing.ts';

/** True if it was declared again before it was gone. */
export const isBack = ({ resume, leaving }: Service): boolean => resume && !leaving;

/** True if it is back and must be started again; one that still runs just continues. */
export const isReturning = (service: Service): boolean => isBack(service) && !isRunning(service);

/** True if no command has concerned it yet. */
export const isNew = ({ actual }: Service): boolean => actual.tag === 'down' && actual.why.tag === 'new';

/**
 * True if it does not run as declared. A stopped service stays down, and takes up the declaration at its next
 * start.
 */
export const isNews = (service: Service): boolean =>
  isNew(service) || isReturning(service) || (service.revised !== undefined && service.wanted === 'up');
