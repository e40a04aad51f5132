// A timer of any length. Node's own timers take at most 2^31 - 1 ms and fire at once for a longer delay.
import {
  asapScheduler,
  asyncScheduler,
  concat,
  defer,
  ignoreElements,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import { ms, type Ms } from '../domain/time.ts';

/** The longest delay of Node's timers, ms: 24.8 days. A longer time needs several timers. */
const LONGEST = ms(2 ** 31 - 1);

/**
 * Emits 0 once after this time, then completes. For zero or a negative time it emits in the next turn of the
 * event loop without a timer, since the shortest timer takes a millisecond.
 */
export function after(
  length: Ms,
  scheduler: SchedulerLike = length > 0 ? asyncScheduler : asapScheduler,
): Observable<0> {
  if (length <= LONGEST) return timer(length, scheduler);
  const rest$ = defer(() => after(ms(length - LONGEST), scheduler));
  return concat(timer(LONGEST, scheduler).pipe(ignoreElements()), rest$);
}
