// Keeps durations right when the wall clock is set or the machine sleeps. Each event gets a time stamp. If
// the clock was set since the previous event, a `clock-set` event comes first.
//
// The state records the begin of each duration as a wall clock time, because a later supervisor must be able
// to use it. When the clock is set, these recorded times shift by the same amount. Only scheduled times do
// not shift, because they follow the wall clock. Times that an earlier supervisor recorded may be too far in
// the future. Then the begin of a duration is changed to now, and the end of a delay is changed to now plus
// the full delay.
// Rules: `docs/behaviour.md`, "Clocks"; `docs/behaviour.md`, "Schedules", "The clock"; `docs/behaviour.md`,
// "Adoption".
import { asChild, asRun } from '../children/child-as-run.ts';
import type { Event, Stamped } from '../domain/event.ts';
import type { Clock } from '../domain/ports.ts';
import type { Child } from '../domain/service/child.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { HealthProgress } from '../domain/service/service-state.ts';
import type { Schedule, Service, ServiceState } from '../domain/service/service.ts';
import { earlier, type Instant, ms, type Ms, plus, seconds } from '../domain/time.ts';
import { type Draft, put, putRequest } from './draft.ts';
import type { Before, Request } from './requests/request.ts';
import { servicesOf } from './service-table.ts';
import { LONGEST_EXTENSION } from '../output/notify-message.ts';
import { delayBefore } from '../service/restart-policy.ts';
import { rescheduled } from '../cron/next-run-time.ts';

/**
 * The smallest change of (wall clock - uptime) that shows that the clock was set. A smaller change comes from
 * the time between the two reads.
 */
const TOLERANCE = seconds(1);

/** Returns a function that stamps events, and adds `clock-set` before one if the clock was set. */
export const stampsBy = (clock: Clock): ((event: Event) => readonly Stamped[]) => {
  /** Wall clock minus uptime, at the first event or when the clock was last set. */
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

interface Retiming {
  /** Returns the new value of an instant from which a duration is counted. */
  readonly since: (at: Instant) => Instant;
  /**
   * Returns the new value of an instant at which something is due. `longest`: the longest delay until then.
   */
  readonly due: (at: Instant, longest: Ms) => Instant;
}

const healthBy = (health: HealthProgress, { since }: Retiming): HealthProgress => ({
  ...health,
  ...(health.failingSince !== undefined && { failingSince: since(health.failingSince) }),
  ...(health.lastCounted !== undefined && { lastCounted: since(health.lastCounted) }),
  ...(health.healthySince !== undefined && { healthySince: since(health.healthySince) }),
});

const stateBy = ({ actual, spec }: Run, retiming: Retiming): ServiceState => {
  const { since, due } = retiming;
  switch (actual.tag) {
    case 'starting':
      return {
        ...actual,
        ...{ since: since(actual.since), health: healthBy(actual.health, retiming) },
        ...(actual.readyBy && { readyBy: due(actual.readyBy, LONGEST_EXTENSION) }),
      };
    case 'up': {
      const began = { since: since(actual.since), readyAt: since(actual.readyAt) };
      const alive = actual.alive && { alive: healthBy(actual.alive, retiming) };
      const over = actual.overweight;
      const overweight = over && { overweight: { ...over, since: since(over.since) } };
      return { ...actual, ...began, health: healthBy(actual.health, retiming), ...alive, ...overweight };
    }
    case 'stopping':
      return {
        ...actual,
        ...{ since: since(actual.since), phaseSince: since(actual.phaseSince) },
        ...(actual.stopBy && { stopBy: due(actual.stopBy, LONGEST_EXTENSION) }),
      };
    case 'backing-off':
      return { ...actual, until: due(actual.until, delayBefore(actual.attempt, spec.backoff, spec.id)) };
    default:
      return actual;
  }
};

/**
 * Returns a copy of the schedule in which the start times of live runs are changed. Scheduled times do not
 * change, because they follow the wall clock.
 */
const scheduleBy = (schedule: Schedule, { since }: Retiming): Schedule => ({
  ...schedule,
  runs: schedule.runs.map((run) =>
    run.result === 'running' && run.startedAt !== undefined
      ? { ...run, startedAt: since(run.startedAt) }
      : run,
  ),
});

const runBy = <R extends Run>(run: R, retiming: Retiming): R => ({
  ...run,
  actual: stateBy(run, retiming),
  schedule: scheduleBy(run.schedule, retiming),
});

const rolloutBy = ({ rollout }: Service, retiming: Retiming): Pick<Service, 'rollout'> => {
  if (rollout === undefined) return {};
  const [first, ...more] = rollout.stages;
  const by = <T extends { readonly at: Instant }>(stage: T): T => ({
    ...stage,
    at: retiming.since(stage.at),
  });
  return {
    rollout: {
      ...rollout,
      stages: [by(first), ...more.map(by)],
      check: healthBy(rollout.check, retiming),
      other: runBy(rollout.other, retiming),
    },
  };
};

const childBy = (service: Service, child: Child, retiming: Retiming): Child => {
  const run = asRun(service, child);
  const { expires, ttl } = child;
  const lifetime = expires === undefined || ttl === undefined ? {} : { expires: retiming.due(expires, ttl) };
  return { ...(asChild(child, { ...run, actual: stateBy(run, retiming) }) ?? child), ...lifetime };
};

const childrenBy = (service: Service, retiming: Retiming): Pick<Service, 'children'> =>
  service.children === undefined
    ? {}
    : { children: service.children.map((child) => childBy(service, child, retiming)) };

const retimedLeftovers = ({ remnants }: Service, { since }: Retiming): Pick<Service, 'remnants'> =>
  remnants === undefined
    ? {}
    : { remnants: remnants.map((leftover) => ({ ...leftover, since: since(leftover.since) })) };

const changedFileBy = ({ changedFile, spec }: Service, { due }: Retiming): Pick<Service, 'changedFile'> =>
  changedFile === undefined || spec.watch === undefined
    ? {}
    : { changedFile: { ...changedFile, due: due(changedFile.due, spec.watch.debounce) } };

/**
 * Returns a copy of the service in which `retiming` has changed all instants of its runs, rollout, children
 * and leftover runs.
 */
export const retimed = (service: Service, retiming: Retiming): Service => ({
  ...runBy(service, retiming),
  ...rolloutBy(service, retiming),
  ...childrenBy(service, retiming),
  ...retimedLeftovers(service, retiming),
  ...changedFileBy(service, retiming),
});

/**
 * Returns the schedule with the earlier of two next times: the recorded one, and the one computed from `now`.
 */
const clampedSchedule = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

/**
 * Returns a copy of the service in which no instant is further in the future than the settings of the service
 * allow.
 */
export const clamped = (service: Service, now: Instant): Service => {
  const held = retimed(service, {
    since: (at) => earlier(at, now),
    due: (at, longest) => earlier(at, plus(now, longest)),
  });
  return { ...held, schedule: clampedSchedule(held, now) };
};

/**
 * Returns a copy of the request in which `since` is at the latest now, and the deadline at most `longest`
 * from now.
 */
export const clampedRequest = (request: Request, now: Instant, longest: Ms): Request => ({
  ...request,
  since: earlier(request.since, now),
  ...(request.deadline !== undefined && { deadline: earlier(request.deadline, plus(now, longest)) }),
});

/**
 * Returns a copy in which `takenBack`, the begin of a rollout in progress, is shifted. All other instants
 * belong to rollouts and runs that have ended.
 */
const beforeBy = (before: Before, by: Ms): Before => ({
  ...before,
  ...(before.takenBack !== undefined && { takenBack: plus(before.takenBack, by) }),
});

const requestBy = (request: Request, by: Ms): Request => ({
  ...request,
  since: plus(request.since, by),
  before: Object.fromEntries(Object.entries(request.before).map(([id, known]) => [id, beforeBy(known, by)])),
  ...(request.deadline !== undefined && { deadline: plus(request.deadline, by) }),
});

/** Shifts the instants of everything in progress by `by` ms. `by` is negative if the clock was set back. */
export const clockSet = (draft: Draft, by: Ms): void => {
  if (by === 0) return;
  const moved = (at: Instant): Instant => plus(at, by);
  for (const service of servicesOf(draft.state.serviceTable))
    put(draft, retimed(service, { since: moved, due: moved }));
  for (const request of Object.values(draft.state.requests)) putRequest(draft, requestBy(request, by));
  draft.effects.push({ type: 'note', level: 'info', facts: { tag: 'clock-set', by } });
};
