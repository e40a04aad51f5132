// When process scans happen: as soon as there is a run to sample, and then once in each interval. One scan is
// for all services. The time between two scans is never shorter than the interval. Without a run to sample
// there is no timer. If a scan takes longer than the interval, the next scan is skipped. The delay of scans
// measures the event loop lag.
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
  /** Performs one scan on subscription. */
  take(): Observable<T>;
  /**
   * Makes the results from successive scans, such as their differences. It is called once for each period of
   * scanning.
   */
  compare(scan$: Observable<T>): Observable<R>;
  readonly scheduler?: SchedulerLike;
}

/**
 * Emits the results of scans, one scan per interval while there is a run to sample. When `demand$` changes, a
 * new period of scanning begins.
 */
export function scansOnDemand<T, R>(demand$: Observable<Demand>, ports: OnDemandPorts<T, R>): Observable<R> {
  const { scheduler = asyncScheduler } = ports;
  return defer(() => {
    let last = Number.NEGATIVE_INFINITY;
    const scan$ = defer(() => {
      last = scheduler.now();
      return ports.take();
    });
    // If the clock was set back since the last scan, the wait is one interval, not longer.
    const untilNext = (interval: Ms): number =>
      Math.min(interval, Math.max(0, last + interval - scheduler.now()));
    return demand$.pipe(
      distinctUntilChanged((a, b) => a.wanted === b.wanted && a.interval === b.interval),
      switchMap(({ wanted, interval }) => {
        const each$ = timer(untilNext(interval), interval, scheduler);
        return wanted ? ports.compare(each$.pipe(exhaustMap(() => scan$))) : EMPTY;
      }),
    );
  });
}

/** The event loop lag, measured as the delay of process scans. */
export interface LoopLag {
  /** Records a scan, which was due `interval` after the previous scan. `at`: on a monotonic clock. */
  scanned(at: Ms, interval: Ms): void;
  /** Records a pause: the next scan is not compared with a scan before the pause. */
  paused(): void;
  last(): Ms | undefined;
  /** Returns the maximum lag of the last 60 scans. */
  most(): Ms | undefined;
}

const LAG_SAMPLES = 60;

/** Returns an empty record. The lag is known from the second scan on. */
export const loopLag = (): LoopLag => {
  let before: Ms | undefined;
  let late: readonly number[] = [];
  return {
    scanned: (at, interval) => {
      if (before !== undefined) late = [...late, Math.max(0, at - before - interval)].slice(-LAG_SAMPLES);
      before = at;
    },
    paused: () => {
      before = undefined;
    },
    last: () => (late.length === 0 ? undefined : ms(late.at(-1) ?? 0)),
    most: () => (late.length === 0 ? undefined : ms(Math.max(...late))),
  };
};
