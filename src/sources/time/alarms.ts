// Alarms by the wall clock, for cron (`docs/behaviour.md`, "Schedules"). An alarm looks at the clock at least once a
// minute, so that a clock that was set, or a machine that slept, costs it a minute at the most. One timer per alarm:
// several hundred of them are several hundred looks a minute, which is nothing.
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

/** Between two looks at the clock. */
const LONGEST_PAUSE = seconds(60);
/** How far the wall clock may fall behind the uptime between two looks before it counts as set back. */
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
 * `rang`, once, when the wall clock shows `due` or later. Before that `clock-stepped`, once for each time the clock was
 * set back; the alarm stays armed, in case the kernel wants the very same one still.
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
