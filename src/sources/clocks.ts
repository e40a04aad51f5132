// The real clocks, and what is due by them: the timers of a service (backoff, stop timeout, readiness
// window), the time limits of requests, and the alarms of cron (`docs/behaviour.md`, "Schedules"). A timer's
// length is computed when the watch opens, so a later clock change has no effect. An alarm reads the wall
// clock at least once a minute, so a clock change or a sleep delays it by at most a minute.
// Rules: `docs/behaviour.md`, "Schedules", "The clock".
import { defer, map, mergeMap, of, pairwise, repeat, type SchedulerLike, startWith, takeWhile } from 'rxjs';
import type { Event } from '../streams/domain/event.ts';
import type { Clock, Source } from '../streams/domain/ports.ts';
import { between, instant, type Instant, ms, type Ms, seconds } from '../streams/domain/time.ts';
import type { AlarmWatch } from '../streams/domain/watch.ts';
import { after } from '../streams/operators/after.ts';

/** Milliseconds since a fixed moment; never steps, never goes back. */
export type Uptime = () => Ms;

export const machineUptime: Uptime = () => ms(performance.now());

export const wallClock: Clock = { now: () => instant(Date.now()), uptime: machineUptime };

interface TimePorts {
  readonly clock: Clock;
  readonly scheduler?: SchedulerLike;
}

/** Emits `elapsed`, once, at `due`, or on the next turn if that has passed. */
export const timers =
  ({ clock, scheduler }: TimePorts): Source<'timer'> =>
  ({ service, run, timer, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'elapsed', service, run, timer })),
    );

/** Emits `request-expired`, once, at `due`, or on the next turn if that has passed. */
export const deadlines =
  ({ clock, scheduler }: TimePorts): Source<'deadline'> =>
  ({ request, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'request-expired', request })),
    );

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
