// The clocks of the machine, and the sources that depend on time: timers of services, time limits of
// requests, alarms of cron. The length of a timer is fixed when its watch opens. An alarm reads the wall
// clock at least once a minute, so it is at most a minute late if the clock was set or the machine was
// asleep.
//
// Rules: `docs/behaviour.md`, "Schedules", "The clock"; `docs/behaviour.md`, "Clocks".
import { defer, map, mergeMap, of, pairwise, repeat, type SchedulerLike, startWith, takeWhile } from 'rxjs';
import type { Event } from '../streams/domain/event.ts';
import type { Clock, Source } from '../streams/domain/ports.ts';
import { between, instant, type Instant, ms, type Ms, seconds } from '../streams/domain/time.ts';
import type { AlarmWatch } from '../streams/domain/watch.ts';
import { after } from '../streams/operators/long-timer.ts';

/** Returns milliseconds since a fixed moment, by a clock that is never set and never goes back. */
export type Uptime = () => Ms;

export const machineUptime: Uptime = () => ms(performance.now());

/** Returns the processor time that this process has used, ms. */
export const ownCpuTime = (): Ms => {
  const { user, system } = process.cpuUsage();
  return ms((user + system) / 1000);
};

export const wallClock: Clock = { now: () => instant(Date.now()), uptime: machineUptime };

interface TimePorts {
  readonly clock: Clock;
  readonly scheduler?: SchedulerLike;
}

/** Timers of services. Each emits `elapsed` once: when `due` is reached, at once if `due` is in the past. */
export const timers =
  ({ clock, scheduler }: TimePorts): Source<'timer'> =>
  ({ service, run, timer, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'elapsed', service, run, timer })),
    );

/**
 * Time limits of requests. Each emits `request-expired` once: when `due` is reached, at once if `due` is in
 * the past.
 */
export const deadlines =
  ({ clock, scheduler }: TimePorts): Source<'deadline'> =>
  ({ request, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'request-expired', request })),
    );

export interface AlarmPorts extends TimePorts {
  readonly uptime: Uptime;
}

/** The longest time between two reads of the wall clock by an alarm. */
const LONGEST_PAUSE = seconds(60);
/**
 * The tolerance of the check for a wall clock that was set back. The clock counts as set back if, between two
 * reads, it advances by more than this time less than the uptime does.
 */
const TOLERANCE = seconds(2);

/** The time of the wall clock and the uptime, read at the same moment. */
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
 * Alarms of cron. Each emits `rang` once, when the wall clock shows `due`, and `clock-stepped` each time the
 * wall clock was set back before that.
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
