// When process scans happen: as soon as there is something to sample, then at each interval, for all services
// at once. A scan never comes sooner than an interval after the last one, even if services come and go
// quickly. No timer runs while there is nothing to sample. A scan that takes longer than the interval skips
// the next one. How late scans are measures the event loop lag without a timer of its own.
import {
  asyncScheduler,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  type Observable,
  type SchedulerLike,
  switchMap,
  timer,
} from 'rxjs';
import { ms, type Ms } from '../domain/time.ts';

export interface Demand {
  readonly wanted: boolean;
  readonly interval: Ms;
}

export interface OnDemandPorts<T, R> {
  /** Does one scan. */
  take(): Observable<T>;
  /** Maps the scans of one period of demand; each period gets a new stream. */
  compare(look$: Observable<T>): Observable<R>;
  readonly scheduler?: SchedulerLike;
}

/** Scans on demand; restarts whenever the demand changes. */
export function scansOnDemand<T, R>(demand$: Observable<Demand>, ports: OnDemandPorts<T, R>): Observable<R> {
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

/** The lateness of process scans. */
export interface LoopLag {
  /** Records a scan at this time of a monotonic clock; it was due `interval` after the previous one. */
  looked(at: Ms, interval: Ms): void;
  /** Records a pause: the next scan counts as the first. */
  paused(): void;
  last(): Ms | undefined;
  /** Returns the maximum of the last 60 scans. */
  most(): Ms | undefined;
}

const LOOKS = 60;

/** Returns an empty record; nothing is known before the second scan. */
export const loopLag = (): LoopLag => {
  let before: Ms | undefined;
  let late: readonly number[] = [];
  return {
    looked: (at, interval) => {
      if (before !== undefined) late = [...late, Math.max(0, at - before - interval)].slice(-LOOKS);
      before = at;
    },
    paused: () => {
      before = undefined;
    },
    last: () => (late.length === 0 ? undefined : ms(late.at(-1) ?? 0)),
    most: () => (late.length === 0 ? undefined : ms(Math.max(...late))),
  };
};
