// Decides which services need attention.
import type { ServiceDocument, StateWord } from '../wire/documents/documents.ts';

const FAILING: ReadonlySet<StateWord> = new Set(['backoff', 'failed', 'breaker-open', 'casualty', 'lost']);

type StateFields = Pick<ServiceDocument, 'state' | 'health' | 'error' | 'last_exit' | 'deploy'>;

/** True if the service is in backoff after a successful run. Its restart policy is then `always`. */
const pauses = ({ state, last_exit: exit }: StateFields): boolean =>
  state === 'backoff' && exit?.success === true;

/** True if the service needs attention: it fails, is unhealthy, has an error, or its rollout failed. */
export const isInTrouble = (service: StateFields): boolean =>
  (isFailing(service.state) && !pauses(service)) ||
  service.health === 'unhealthy' ||
  service.error !== null ||
  service.deploy.failed;

/** True for the states of a service that fails or that cannot run because a dependency failed. */
export const isFailing = (state: StateWord): boolean => FAILING.has(state);
