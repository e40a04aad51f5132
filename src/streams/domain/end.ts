// Why a supervisor ends without a request, and the state of an end under way.
import type { ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';

/**
 * `refused`: its manifests cannot be started. `ended`: an essential service ended for good; `exit` is absent
 * if it had no process.
 */
export type Verdict =
  | { readonly tag: 'refused' }
  | { readonly tag: 'ended'; readonly service: ServiceId; readonly exit: ExitStatus | undefined };

/**
 * Everything is being stopped. With `resume` the next supervisor starts the services again that were wanted
 * up.
 */
export interface Closing {
  readonly resume: boolean;
  readonly verdict?: Verdict;
}
