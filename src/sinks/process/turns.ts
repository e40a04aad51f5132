// Starting a process holds up the event loop for a millisecond or more, because the system call waits for the new
// program. A burst of them (two hundred services whose backoff is over at the same moment) must not hold up commands,
// probes and exits for the sum of that: one start each turn of the loop.
import { setImmediate } from 'node:timers/promises';

/** Settles when the caller may start: at once for the first, one turn of the event loop later for each that follows. */
export type Turn = () => Promise<void>;

export const oneEachTurn = (): Turn => {
  let free: Promise<void> = Promise.resolve();
  return () => {
    const mine = free;
    free = mine.then(() => setImmediate());
    return mine;
  };
};
