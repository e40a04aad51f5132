// The time of each event. If the wall clock was set since the last one, `clock-set` comes first, so that
// durations are counted correctly.
// Rules: `docs/behaviour.md`, "Clocks".
import type { Event, Stamped } from '../../domain/event.ts';
import type { Clock } from '../../domain/ports.ts';
import { ms, seconds, type Ms } from '../../domain/time.ts';

/** A smaller difference is no step: the process may have to wait between reading the two clocks. */
const TOLERANCE = seconds(1);

/** Stamps each event, preceded by `clock-set` if due. A clock without uptime is never set. */
export const stampsBy = (clock: Clock): ((event: Event) => readonly Stamped[]) => {
  /** Wall clock minus uptime, once known. */
  let ahead: Ms | undefined;
  return (event) => {
    const at = clock.now();
    const stamped = { at, event };
    if (clock.uptime === undefined) return [stamped];
    const present = ms(at - clock.uptime());
    const before = ahead ?? present;
    const by = ms(present - before);
    const isSet = Math.abs(by) >= TOLERANCE;
    ahead = isSet ? present : before;
    return isSet ? [{ at, event: { type: 'clock-set', by } }, stamped] : [stamped];
  };
};
