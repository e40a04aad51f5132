// How many processes are started in one turn of the event loop (`src/sinks/process/turns.ts`): as many as it can bear.

/** A turn with starts, and all else that it has to do, takes about as long, in ms. */
const ROUND_MS = 20;
/** All of a round have their output open before the first of them is started: two descriptors each, of those that are kept free. */
const MOST = 12;

interface Round {
  /** So many could pass, and so many did. */
  readonly size: number;
  readonly passed: number;
  /** How long the turn was, in ms. */
  readonly took: number;
}

/** How many may pass in the next turn: twice as many at most, and always one. A turn that had room left tells nothing. */
export const sizeAfter = ({ size, passed, took }: Round): number =>
  passed < size ? size : Math.max(1, Math.min(Math.floor((size * ROUND_MS) / took), 2 * size, MOST));
