// A timer of any length. Node's own timers fire at once if the delay is above 2^31 - 1 ms.
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

/** The longest delay of Node's timers, 24.8 days. A longer delay needs several timers. */
const LONGEST = ms(2 ** 31 - 1);

/** Emits 0 after this time. If the time is zero or less, emits in a microtask, without a timer. */
export function after(
  length: Ms,
  scheduler: SchedulerLike = length > 0 ? asyncScheduler : asapScheduler,
): Observable<0> {
  if (length <= LONGEST) return timer(length, scheduler);
  const rest$ = defer(() => after(ms(length - LONGEST), scheduler));
  return concat(timer(LONGEST, scheduler).pipe(ignoreElements()), rest$);
}
