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

/** After this time without work a burst of work is over. */
export const QUIET_MS = ms(1_000);
/** Garbage is collected only if at least this many bytes more are in use than after the last collection. */
const MIN_GAIN_BYTES = 4 * 1024 * 1024;
/**
 * The time between two checks of the size of the young generation. Steady work needs these checks, because it
 * has no pauses.
 */
const CHECK_INTERVAL_MS = ms(60_000);
/**
 * The size of the young generation at which the regular check collects garbage. Without commands, the young
 * generation stays smaller.
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

/** Collects after each burst of work, if `MIN_GAIN_BYTES` more are in use than after the last collection. */
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

/** Collects at intervals if the young generation has reached its limit. */
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
