// The wall clock may be set while the supervisor runs, or stand still while the machine sleeps. Each event is
// stamped; if the clock was set since the last one, `clock-set` comes first. Instants from which a duration
// is counted, or at which one ends, use the wall clock because they outlive the supervisor. Setting that
// clock must not change the durations: all that is in progress continues as if nothing had happened. Only
// schedules follow the new time (`docs/behaviour.md`, "Schedules"). Records may also lie in the future: start
// times are then at most now, and due times at most now plus their own delay. Rules: `docs/behaviour.md`,
// "Clocks"; `docs/behaviour.md`, "Schedules", "The clock".
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

interface Retiming {
  /** For an instant from which something is counted. */
  readonly since: (at: Instant) => Instant;
  /** For an instant at which something is due that takes at most `longest`. */
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

/** Boundaries follow the wall clock, and finished runs are history. */
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

/** The service with these instants changed, for both its runs and its children. */
export const retimed = (service: Service, retiming: Retiming): Service => ({
  ...runBy(service, retiming),
  ...rolloutBy(service, retiming),
  ...childrenBy(service, retiming),
  ...remnantsBy(service, retiming),
});

/** Boundaries follow the wall clock: the next one may now be sooner than recorded. */
const clampedSchedule = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

/** The service without an instant that delays anything longer than allowed. */
export const clamped = (service: Service, now: Instant): Service => {
  const held = retimed(service, {
    since: (at) => earlier(at, now),
    due: (at, longest) => earlier(at, plus(now, longest)),
  });
  return { ...held, schedule: clampedSchedule(held, now) };
};

/** A continued command: received now at the latest, and answered within `longest`. */
export const clampedRequest = (request: Request, now: Instant, longest: Ms): Request => ({
  ...request,
  since: earlier(request.since, now),
  ...(request.deadline !== undefined && { deadline: earlier(request.deadline, plus(now, longest)) }),
});

/**
 * Finished events keep the old clock's time. Only `takenBack` moves along, since that rollout is still in
 * progress.
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
 * All durations being counted stay as they are. `by` is negative if the clock was set back, and 0 if the
 * event only made the clock be checked.
 */
export const clockSet = (draft: Draft, by: Ms): void => {
  if (by === 0) return;
  const moved = (at: Instant): Instant => plus(at, by);
  for (const service of servicesOf(draft.state.roster))
    put(draft, retimed(service, { since: moved, due: moved }));
  for (const request of Object.values(draft.state.requests)) putRequest(draft, requestBy(request, by));
  draft.effects.push({ type: 'note', level: 'info', facts: { tag: 'clock-set', by } });
};
