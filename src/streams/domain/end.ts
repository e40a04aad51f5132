// Why a supervisor ends that nobody asked to, and what of an end is still under way.
import type { ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';

/** `refused`: what it was given cannot be started. `ended`: an essential service has, for good; `exit`: if there was one. */
export type Verdict =
  | { readonly tag: 'refused' }
  | { readonly tag: 'ended'; readonly service: ServiceId; readonly exit: ExitStatus | undefined };

/** Everything is being stopped. `resume`: what was wanted is wanted again by the next supervisor. */
export interface Closing {
  readonly resume: boolean;
  readonly verdict?: Verdict;
}
