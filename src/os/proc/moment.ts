// When a process started, by the current clock.
import { uptime } from 'node:os';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { instant, type Instant } from '../../streams/domain/time.ts';

/** One tick of `USER_HZ`, which is 100 for every program on Linux. */
const TICK_MS = 10;

/**
 * The start time, precise to a tick. It is never later than now: a damaged record, or a process that CRIU
 * restored, may hold a start that no calendar can.
 */
export const momentOf = (startTicks: number): Instant => {
  const now = Date.now();
  return instant(Math.min(now, Math.round(now - uptime() * 1_000 + startTicks * TICK_MS)));
};

/** `uptime` has a resolution of 10 ms, and lags slightly when a process has just started. */
const TOLERANCE_MS = 1_000;

/** True if the start lies in the future, so that the record is wrong. */
export const isAhead = ({ startTicks }: ProcessRef): boolean =>
  startTicks * TICK_MS > uptime() * 1_000 + TOLERANCE_MS;
