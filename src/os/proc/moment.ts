// When a process began, by the clock as it is now.
import { uptime } from 'node:os';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { instant, type Instant } from '../../streams/domain/time.ts';

/** Of `USER_HZ`, which is 100 for every program on Linux. */
const TICK_MS = 10;

/**
 * To a tick of the kernel's clock. Never later than now: a damaged record, or a process that CRIU restored, may have a
 * start that no calendar can hold.
 */
export const momentOf = (startTicks: number): Instant => {
  const now = Date.now();
  return instant(Math.min(now, Math.round(now - uptime() * 1_000 + startTicks * TICK_MS)));
};

/** The clock counts whole hundredths of a second, and reads a little behind the start of a new process. */
const TOLERANCE_MS = 1_000;

/** It would start only later, which no process on record does. */
export const isAhead = ({ startTicks }: ProcessRef): boolean =>
  startTicks * TICK_MS > uptime() * 1_000 + TOLERANCE_MS;
