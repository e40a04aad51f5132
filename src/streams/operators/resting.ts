// Memory that a burst of work has used up goes back when the burst is over.
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

/** So long nothing happens. */
export const QUIET = ms(1_000);
/** With less than this, in bytes, it is not worth it. */
const WORTH = 4 * 1024 * 1024;
/** So seldom the nursery of one that never rests is looked at. */
const SELDOM = ms(60_000);
/** In bytes: bigger than what a calm supervisor fills in a few seconds. */
const GROWN = 8 * 1024 * 1024;

interface OwnMemory {
  /** In bytes: what is in use, and what nobody has collected yet. */
  readonly taken: () => number;
  /** In bytes: what is kept for objects that are made. It is filled to the last byte before anybody looks what of it is in use. */
  readonly nursery: () => number;
  /** Collects all that nobody needs, and is done with that in a moment. A pause for everybody, of some thirty milliseconds. */
  readonly giveBack: () => void;
}

/** After each burst that has taken `WORTH` more than was left by the last time. */
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
    debounceTime(QUIET, scheduler),
    filter(() => taken() - left >= WORTH),
    tap(() => {
      giveBack();
      given = true;
    }),
  );
}

/** A nursery that has grown is grown into again by who needs it. */
function nowAndThen({ nursery, giveBack }: OwnMemory, scheduler?: SchedulerLike): Observable<unknown> {
  return interval(SELDOM, scheduler).pipe(
    filter(() => nursery() >= GROWN),
    tap(giveBack),
  );
}

/** Gives back what a burst of work has taken when it is over, and now and then what was grown into. Never speaks. */
export function resting(
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
