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
  type OperatorFunction,
  type SchedulerLike,
} from 'rxjs';
import type { Ms } from '../domain/time.ts';

export interface Demand {
  readonly wanted: boolean;
  readonly interval: Ms;
}

export interface LookingPorts<T> {
  take(): Observable<T>;
  readonly scheduler?: SchedulerLike;
}

/** Each time of wanting is a stream of its own, in which `compared` sees all looks and no others. */
export function looking<T, R>(
  demand$: Observable<Demand>,
  ports: LookingPorts<T>,
  compared: OperatorFunction<T, R>,
): Observable<R> {
  return demand$.pipe(
    distinctUntilChanged((a, b) => a.wanted === b.wanted && a.interval === b.interval),
    switchMap(({ wanted, interval }) =>
      wanted
        ? timer(0, interval, ports.scheduler ?? asyncScheduler).pipe(
            exhaustMap(() => ports.take()),
            compared,
          )
        : EMPTY,
    ),
  );
}
