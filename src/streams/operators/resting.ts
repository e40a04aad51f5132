// Memory that a burst of work has used up goes back when the burst is over.
import { debounceTime, filter, ignoreElements, tap, type Observable, type SchedulerLike } from 'rxjs';
import { ms } from '../domain/time.ts';

/** So long nothing happens. */
export const QUIET = ms(1_000);
/** With less than this, in bytes, it is not worth it. */
const WORTH = 4 * 1024 * 1024;

interface OwnMemory {
  /** In bytes: what is in use, and what nobody has collected yet. */
  readonly taken: () => number;
  /** Collects it, and is done with that in a moment. A pause or two for everybody, of some ten milliseconds. */
  readonly giveBack: () => void;
}

/** Gives back after each burst that has taken `WORTH` more than was left by the last time. Never speaks. */
export function resting(
  work$: Observable<unknown>,
  { taken, giveBack }: OwnMemory,
  scheduler?: SchedulerLike,
): Observable<never> {
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
    ignoreElements(),
  );
}
