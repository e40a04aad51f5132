// When a process began, by the clock as it is now.
import { uptime } from 'node:os';
import { instant, type Instant } from '../../streams/domain/time.ts';

/** Of `USER_HZ`, which is 100 for every program on Linux. */
const TICK_MS = 10;

/** To a tick of the kernel's clock. */
export const momentOf = (startTicks: number): Instant =>
  instant(Math.round(Date.now() - uptime() * 1_000 + startTicks * TICK_MS));
