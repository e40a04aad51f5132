// When the next attempt of each probe is due: it is so again for the program that takes the place of this one, or a probe
// with a long interval would never come to an attempt. One that is under way is due since it began.
import { ms, type Ms } from '../../streams/domain/time.ts';

export interface Paces {
  /** What is left of the pause that was handed over, once; `undefined`: there is none. */
  readonly handed: (key: string) => Ms | undefined;
  readonly next: (key: string, pause: Ms) => void;
  readonly over: (key: string) => void;
  /** By the key of the watch, ms since 1970. */
  readonly all: () => Readonly<Record<string, number>>;
}

export const pacesFrom = (given: Readonly<Record<string, number>> = {}, now = Date.now): Paces => {
  const left = new Map(Object.entries(given));
  const due = new Map<string, number>();
  return {
    handed: (key) => {
      const at = left.get(key);
      left.delete(key);
      return at === undefined ? undefined : ms(Math.max(0, at - now()));
    },
    next: (key, pause) => void due.set(key, now() + pause),
    over: (key) => void due.delete(key),
    all: () => Object.fromEntries(due),
  };
};
