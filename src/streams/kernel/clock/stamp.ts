// The moment of each event. Somebody may have set the wall clock since the one before: that is told first, so that
// whatever is counted at this event is counted right.
import type { Event, Stamped } from '../../domain/event.ts';
import type { Clock } from '../../domain/ports.ts';
import { ms, seconds, type Ms } from '../../domain/time.ts';

/** Less than this is no step: between the looks at two clocks a process may have to wait. */
const TOLERANCE = seconds(1);

/** With its moment, and behind `clock-set` where that is due. A clock without an uptime is never set. */
export const stampsBy = (clock: Clock): ((event: Event) => readonly Stamped[]) => {
  /** Of the uptime, as far as it is known. */
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
