// Waits for a condition with a timeout. A timeout is an error, never a measured time.
import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  readonly what: string;
  readonly limitMs: number;
  /** Interval between two checks, ms. */
  readonly pauseMs?: number;
}

/**
 * Calls `look` until it returns a value other than `undefined`, and resolves to that value. Rejects after the
 * timeout.
 */
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
