// The real clocks: the wall clock, which users and NTP set, and the machine's uptime, which is monotonic.
import { instant, ms, type Ms } from '../../streams/domain/time.ts';
import type { Clock } from '../../streams/domain/ports.ts';

/** Milliseconds since a fixed moment; never steps, never goes back. */
export type Uptime = () => Ms;

export const machineUptime: Uptime = () => ms(performance.now());

export const wallClock: Clock = { now: () => instant(Date.now()), uptime: machineUptime };
