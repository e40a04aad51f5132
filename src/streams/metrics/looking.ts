// When scans happen: as soon as there is something to sample, then at each interval, for all services at
// once. A scan never comes sooner than an interval after the last one, even if services come and go quickly.
// No timer runs while there is nothing to sample. A scan that takes longer than the interval skips the next
// one.
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
  /** Does one scan. */
  take(): Observable<T>;
  /** Maps the scans of one period of demand; each period gets a new stream. */
  compare(look$: Observable<T>): Observable<R>;
  readonly scheduler?: SchedulerLike;
}

/** Scans on demand; restarts whenever the demand changes. */
export function looking<T, R>(demand$: Observable<Demand>, ports: LookingPorts<T, R>): Observable<R> {
  const { scheduler = asyncScheduler } = ports;
  return defer(() => {
    let last = Number.NEGATIVE_INFINITY;
    const look$ = defer(() => {
      last = scheduler.now();
      return ports.take();
    });
    // At most one interval: the clock may have been set back since the last scan.
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
