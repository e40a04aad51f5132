// When it is looked: as soon as there is something to sample, then each interval, all services at once, and never sooner
// than an interval after the last look: where everything comes and goes, each coming would be another first look. Nothing
// wakes anybody while there is nothing, and a look that takes longer than the interval costs the next one, not a queue.
import {
  asyncScheduler,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  switchMap,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import type { Ms } from '../domain/time.ts';

export interface Demand {
  readonly wanted: boolean;
  readonly interval: Ms;
}

export interface LookingPorts<T, R> {
  /** One look. */
  take(): Observable<T>;
  /** What is made of all looks of one time of wanting, and of no others. */
  compare(look$: Observable<T>): Observable<R>;
  readonly scheduler?: SchedulerLike;
}

/** Begins anew with each change of what is wanted. */
export function looking<T, R>(demand$: Observable<Demand>, ports: LookingPorts<T, R>): Observable<R> {
  const { scheduler = asyncScheduler } = ports;
  return defer(() => {
    let last = Number.NEGATIVE_INFINITY;
    const look$ = defer(() => {
      last = scheduler.now();
      return ports.take();
    });
    // At most an interval: the clock may have been set back since the last look.
    const untilNext = (interval: Ms): number =>
      Math.min(interval, Math.max(0, last + interval - scheduler.now()));
    return demand$.pipe(
      distinctUntilChanged((a, b) => a.wanted === b.wanted && a.interval === b.interval),
      switchMap(({ wanted, interval }) => {
        const each$ = timer(untilNext(interval), interval, scheduler);
        return wanted ? ports.compare(each$.pipe(exhaustMap(() => look$))) : EMPTY;
      }),
    );
  });
}
