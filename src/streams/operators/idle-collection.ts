// Runs the garbage collector after a burst of work, so that memory returns to the system.
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

/** A burst of work is over after this time without work. */
export const QUIET_MS = ms(1_000);
/**
 * The minimum growth of the memory in use since the last collection, in bytes. With less growth, garbage is
 * not collected.
 */
const MIN_GAIN_BYTES = 4 * 1024 * 1024;
/**
 * The time between two checks of the size of the young generation. These checks are for steady work, which
 * has no pauses in which garbage is collected.
 */
const CHECK_INTERVAL_MS = ms(60_000);
/**
 * The size of the young generation at which the regular check collects garbage. While no commands arrive, the
 * young generation stays below this size.
 */
const YOUNG_LIMIT_BYTES = 8 * 1024 * 1024;

interface OwnMemory {
  /** Returns the memory in use, including garbage that is not collected yet, bytes. */
  readonly taken: () => number;
  /** Returns the size of V8's young generation (memory for new objects), bytes. */
  readonly youngGenerationBytes: () => number;
  /** Collects all garbage synchronously: the process pauses for about 30 ms. */
  readonly giveBack: () => void;
}

/**
 * Collects garbage after each burst of work, if the memory in use has grown by `MIN_GAIN_BYTES` since the
 * last collection.
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

/** Collects garbage if a check at a fixed interval finds the young generation at its limit. */
function nowAndThen(
  { youngGenerationBytes, giveBack }: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<unknown> {
  return interval(CHECK_INTERVAL_MS, scheduler).pipe(
    filter(() => youngGenerationBytes() >= YOUNG_LIMIT_BYTES),
    tap(giveBack),
  );
}

/** Collects garbage after bursts of work, and if V8's memory for new objects has grown. Never emits. */
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
