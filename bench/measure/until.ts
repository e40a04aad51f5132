// Waits for a condition with a limit. A timeout is an error, never a measured time.
import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  readonly what: string;
  readonly limitMs: number;
  /** Milliseconds between two checks. */
  readonly pauseMs?: number;
}

/** Resolves with the first value that is not `undefined`. */
export const until = async <T>(
  look: () => T | undefined | Promise<T | undefined>,
  { what, limitMs, pauseMs = 20 }: Patience,
): Promise<T> => {
  const began = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() - began > limitMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await pause(pauseMs);
  }
};
