// Alarms by the wall clock, for cron (`docs/behaviour.md`, "Schedules"). An alarm reads the clock at least
// once a minute, so a clock change or a sleep delays it by at most a minute. Each alarm has its own timer:
// several hundred reads a minute cost nothing.
// Rules: `docs/behaviour.md`, "Schedules", "The clock".
import { defer, mergeMap, of, pairwise, repeat, startWith, takeWhile } from 'rxjs';
import { between, ms, seconds, type Instant, type Ms } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { AlarmWatch } from '../../streams/domain/watch.ts';
import type { Uptime } from './clock.ts';
import type { TimePorts } from './timers.ts';

export interface AlarmPorts extends TimePorts {
  readonly uptime: Uptime;
}

/** The longest time between two reads of the clock. */
const LONGEST_PAUSE = seconds(60);
/** How far the wall clock may fall behind the uptime between two reads before it counts as set back. */
const TOLERANCE = seconds(2);

/** Both clocks at one moment. */
interface Look {
  readonly now: Instant;
  readonly up: Ms;
}

const setBack = (before: Look, present: Look): boolean =>
  present.up - before.up - between(before.now, present.now) > TOLERANCE;

const newsOf = ({ service, due }: AlarmWatch, [before, present]: readonly [Look, Look]): readonly Event[] => {
  if (present.now >= due) return [{ type: 'rang', service, due }];
  return setBack(before, present) ? [{ type: 'clock-stepped', service }] : [];
};

/**
 * Emits `rang`, once, when the wall clock shows `due` or later. Before that, emits `clock-stepped` each time
 * the clock was set back; the alarm stays armed, in case the same one is still needed.
 */
export const alarms =
  ({ clock, uptime, scheduler }: AlarmPorts): Source<'alarm'> =>
  (watch) => {
    const look = (): Look => ({ now: clock.now(), up: uptime() });
    const pause = (): Ms => ms(Math.min(between(clock.now(), watch.due), LONGEST_PAUSE));
    return defer(() =>
      defer(() => of(look())).pipe(
        repeat({ delay: () => after(pause(), scheduler) }),
        startWith(look()),
        pairwise(),
        takeWhile(([, { now }]) => now < watch.due, true),
        mergeMap((looks) => newsOf(watch, looks)),
      ),
    );
  };
