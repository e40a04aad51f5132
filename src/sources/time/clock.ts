// The real clocks: the wall's, which people and NTP set, and the machine's uptime, which nobody sets.
import { instant, ms, type Ms } from '../../streams/domain/time.ts';
import type { Clock } from '../../streams/domain/ports.ts';

/** Milliseconds of the machine since some moment; never steps, never goes back. */
export type Uptime = () => Ms;

export const machineUptime: Uptime = () => ms(performance.now());

export const wallClock: Clock = { now: () => instant(Date.now()), uptime: machineUptime };
