// Runs the garbage collector after a burst of work, so that memory is returned to the system.
import {
  connect,
  debounceTime,
  endWith,
  filter,
  ignoreElements,
  interval,
  merge,
  takeUntil,
  tap,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import { ms } from '../domain/time.ts';

/** After this time without work a burst of work is over, ms. */
export const QUIET_MS = ms(1_000);
/** After a burst of work, garbage is collected only if this frees at least this many bytes. */
const MIN_GAIN_BYTES = 4 * 1024 * 1024;
/**
 * How often the size of the young generation (V8's memory for new objects) is checked, ms. Without the check,
 * steady work would have no end after which garbage is collected.
 */
const CHECK_INTERVAL_MS = ms(60_000);
/**
 * From this size of the young generation (V8's memory for new objects) on, the regular check collects
 * garbage. A supervisor without commands fills less in a few seconds.
 */
const YOUNG_LIMIT_BYTES = 8 * 1024 * 1024;

interface OwnMemory {
  /** Returns the memory in use, including garbage not yet collected, in bytes. */
  readonly taken: () => number;
  /**
   * Returns the size of the young generation (V8's memory for new objects) in bytes. V8 fills it before it
   * collects.
   */
  readonly nursery: () => number;
  /** Collects all garbage synchronously; the whole process pauses for about 30 ms. */
  readonly giveBack: () => void;
}

/**
 * Collects garbage after each burst of work that leaves at least `MIN_GAIN_BYTES` more in use than the
 * previous collection did.
 */
function afterBursts(
  work$: Observable<unknown>,
  { taken, giveBack }: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<unknown> {
  let left = 0;
  let given = false;
  const begins = (): void => {
    if (given) left = taken();
    given = false;
  };
  return work$.pipe(
    tap(begins),
    debounceTime(QUIET_MS, scheduler),
    filter(() => taken() - left >= MIN_GAIN_BYTES),
    tap(() => {
      giveBack();
      given = true;
    }),
  );
}

/**
 * Checks the young generation (V8's memory for new objects) at intervals, and collects garbage if it has
 * reached its limit. V8 lets it grow again when needed.
 */
function nowAndThen({ nursery, giveBack }: OwnMemory, scheduler?: SchedulerLike): Observable<unknown> {
  return interval(CHECK_INTERVAL_MS, scheduler).pipe(
    filter(() => nursery() >= YOUNG_LIMIT_BYTES),
    tap(giveBack),
  );
}

/**
 * Collects garbage after each burst of work, and at intervals if the young generation (V8's memory for new
 * objects) has grown. Never emits.
 */
export function idleCollection(
  work$: Observable<unknown>,
  memory: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<never> {
  return work$.pipe(
    connect((shared$) => {
      const over$ = shared$.pipe(ignoreElements(), endWith(undefined));
      return merge(
        nowAndThen(memory, scheduler).pipe(takeUntil(over$)),
        afterBursts(shared$, memory, scheduler),
      );
    }),
    ignoreElements(),
  );
}
