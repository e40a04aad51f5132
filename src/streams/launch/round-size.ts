// How many processes start in one turn of the event loop (`src/sinks/process/start-gate.ts`).

/** The target duration of a turn with starts and all its other work, ms. */
const ROUND_MS = 20;
/** All of a round open their output before the first starts: two of the reserved descriptors each. */
const MOST = 12;

interface Round {
  /** `size` starts were allowed, and `passed` took place. */
  readonly size: number;
  readonly passed: number;
  /** The duration of the turn, ms. */
  readonly took: number;
}

/**
 * Returns the size of the next round: at least 1, at most double. If fewer started than allowed, it stays the
 * same.
 */
export const sizeAfter = ({ size, passed, took }: Round): number =>
  passed < size ? size : Math.max(1, Math.min(Math.floor((size * ROUND_MS) / took), 2 * size, MOST));
