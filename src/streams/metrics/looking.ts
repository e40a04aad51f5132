// When it is looked: as soon as there is something to sample, then each interval, all services at once. Nothing wakes
// anybody while there is nothing, and a look that takes longer than the interval costs the next one, not a queue.
import {
  asyncScheduler,
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
  return demand$.pipe(
    distinctUntilChanged((a, b) => a.wanted === b.wanted && a.interval === b.interval),
    switchMap(({ wanted, interval }) =>
      wanted ? ports.compare(timer(0, interval, scheduler).pipe(exhaustMap(() => ports.take()))) : EMPTY,
    ),
  );
}
