// Keeps durations right when the wall clock is set while the supervisor runs, or stands still while the
// machine sleeps. Each event gets a time stamp. If the clock was set since the previous event, a `clock-set`
// event comes first.
//
// Instants from which a duration is counted, or at which one ends, are wall clock times, because they must
// outlive the supervisor. When the clock is set they are shifted with it, so that no duration changes. Only
// schedules follow the new time (`docs/behaviour.md`, "Schedules"). Recorded instants may also lie in the
// future: a start time is then limited to now, and a due time to now plus its own delay.
// Rules: `docs/behaviour.md`, "Clocks"; `docs/behaviour.md`, "Schedules", "The clock".
import { asChild, asRun } from '../children/child-run.ts';
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
import { delayBefore } from '../service/restart-policy.ts';
import { rescheduled } from '../service/schedule.ts';

/**
 * Differences below this do not count as a clock change: the process may be suspended between reading the
 * two clocks.
 */
const TOLERANCE = seconds(1);

/**
 * Returns a function that adds the time to each event, preceded by a `clock-set` event if the clock was set.
 * If the clock has no uptime, a change cannot be detected.
 */
export const stampsBy = (clock: Clock): ((event: Event) => readonly Stamped[]) => {
  /** Wall clock minus uptime; `undefined` before the first event. */
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
  /** Changes an instant from which a duration is counted. */
  readonly since: (at: Instant) => Instant;
  /** Changes an instant at which something is due. `longest`: the full delay before it. */
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
      return { ...actual, since: since(actual.since), health: healthBy(actual.health, retiming) };
    case 'up': {
      const began = { since: since(actual.since), readyAt: since(actual.readyAt) };
      return { ...actual, ...began, health: healthBy(actual.health, retiming) };
    }
    case 'stopping':
      return { ...actual, since: since(actual.since), phaseSince: since(actual.phaseSince) };
    case 'backing-off':
      return { ...actual, until: due(actual.until, delayBefore(actual.attempt, spec.backoff, spec.id)) };
    default:
      return actual;
  }
};

/**
 * Changes the start of scheduled runs in progress. Due times follow the wall clock, and finished runs keep
 * their recorded times.
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

const remnantsBy = ({ remnants }: Service, { since }: Retiming): Pick<Service, 'remnants'> =>
  remnants === undefined
    ? {}
    : { remnants: remnants.map((remnant) => ({ ...remnant, since: since(remnant.since) })) };

/** Returns the service with its instants changed, in both runs and in its children. */
export const retimed = (service: Service, retiming: Retiming): Service => ({
  ...runBy(service, retiming),
  ...rolloutBy(service, retiming),
  ...childrenBy(service, retiming),
  ...remnantsBy(service, retiming),
});

/** Returns the schedule with its next due time calculated again if that is sooner than the recorded one. */
const clampedSchedule = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

/**
 * Returns the service with instants in the future limited, so that no delay is longer than its setting
 * allows.
 */
export const clamped = (service: Service, now: Instant): Service => {
  const held = retimed(service, {
    since: (at) => earlier(at, now),
    due: (at, longest) => earlier(at, plus(now, longest)),
  });
  return { ...held, schedule: clampedSchedule(held, now) };
};

/**
 * Returns the request as the next supervisor continues it: received at the latest now, and answered at the
 * latest `longest` from now.
 */
export const clampedRequest = (request: Request, now: Instant, longest: Ms): Request => ({
  ...request,
  since: earlier(request.since, now),
  ...(request.deadline !== undefined && { deadline: earlier(request.deadline, plus(now, longest)) }),
});

/**
 * Shifts `takenBack` only, because that rollout is still in progress. Finished events keep their recorded
 * times.
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

/**
 * Shifts the instants of everything in progress, so that no duration changes. `by` is negative if the clock
 * was set back, and 0 if the event was sent only to have the clock checked.
 */
export const clockSet = (draft: Draft, by: Ms): void => {
  if (by === 0) return;
  const moved = (at: Instant): Instant => plus(at, by);
  for (const service of servicesOf(draft.state.roster))
    put(draft, retimed(service, { since: moved, due: moved }));
  for (const request of Object.values(draft.state.requests)) putRequest(draft, requestBy(request, by));
  draft.effects.push({ type: 'note', level: 'info', facts: { tag: 'clock-set', by } });
};
