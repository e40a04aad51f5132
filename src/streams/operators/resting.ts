// Memory that a burst of work has used up goes back when the burst is over.
import {
  auditTime,
  connect,
  debounceTime,
  endWith,
  filter,
  ignoreElements,
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
/** V8 takes a nursery back to the size that it began with in a collection of everything, where little was allocated for five seconds. */
const CALM = ms(6_000);
/** Whoever is never calm may yet need little: then V8 does the same. */
const SELDOM = ms(60_000);

interface OwnMemory {
  /** In bytes: what is in use, and what nobody has collected yet. */
  readonly taken: () => number;
  /** Collects it, and is done with that in a moment. A pause or two for everybody, of some ten milliseconds. */
  readonly giveBack: () => void;
  /** In bytes: what is kept for objects that will be made. */
  readonly nursery: () => number;
  /** Collects everything, once. */
  readonly collect: () => void;
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

/** The nursery of a burst is not needed in between: it is filled to the last byte before anybody looks what of it is in use. */
function nurseryBack(
  work$: Observable<unknown>,
  { nursery, collect }: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<unknown> {
  return merge(work$.pipe(debounceTime(CALM, scheduler)), work$.pipe(auditTime(SELDOM, scheduler))).pipe(
    filter(() => nursery() >= WORTH),
    tap(collect),
  );
}

/** Gives back what a burst of work has taken when it is over. Never speaks. */
export function resting(
  work$: Observable<unknown>,
  memory: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<never> {
  return work$.pipe(
    connect((shared$) => {
      // Nobody waits for a collection when all is over.
      const over$ = shared$.pipe(ignoreElements(), endWith(undefined));
      return merge(
        nurseryBack(shared$, memory, scheduler).pipe(takeUntil(over$)),
        afterBursts(shared$, memory, scheduler),
      );
    }),
    ignoreElements(),
  );
}
