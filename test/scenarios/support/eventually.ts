// Waits on a condition of the world, never for a fixed time.
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 60;
/** Of a slow machine that has much else to do. */
export const PATIENCE_MS = 90_000;

export interface Condition<T> {
  /** What is waited for, in words, for the message of a wait in vain. */
  readonly what: string;
  /** Settles with what was waited for, or with `undefined` while it is not there. */
  readonly look: () => Promise<T | undefined> | T | undefined;
  /** What is the case instead, for that message. */
  readonly instead?: () => unknown;
}

/** Settles with what the condition found; rejects after `limit` milliseconds. */
export const eventually = async <T>(condition: Condition<T>, limit = PATIENCE_MS): Promise<T> => {
  const until = performance.now() + limit;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const found = await condition.look();
    if (found !== undefined) return found;
    if (performance.now() >= until) throw new Error(inVain(condition, limit));
    await pause(wait);
  }
};

const inVain = ({ what, instead }: Condition<unknown>, limit: number): string =>
  `waited ${limit} ms in vain for: ${what}${instead === undefined ? '' : `\ninstead: ${JSON.stringify(instead(), undefined, 1)}`}`;

/** Settles once the condition holds. */
export const holds = async (
  what: string,
  look: () => Promise<boolean> | boolean,
  limit = PATIENCE_MS,
): Promise<void> => {
  await eventually({ what, look: async () => ((await look()) ? true : undefined) }, limit);
};
