// Waiting for a condition, never for ever. A wait that is spent is an error: it is not a time.
import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  readonly what: string;
  readonly limitMs: number;
  /** Between two looks. */
  readonly pauseMs?: number;
}

/** The first answer that is not `undefined`. */
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
