// The clock may have been set back since a state was recorded: what lies in the future by then would hold a backoff, or
// SIGKILL, for as long. It is now at the latest, and what is due comes after its own delay at the latest.
import { asChild, asService } from '../../children/run.ts';
import type { Child } from '../../domain/service/child.ts';
import type { Service, ServiceState } from '../../domain/service/service.ts';
import { instant, plus, type Instant } from '../../domain/time.ts';
import type { HealthProgress } from '../../domain/service/health.ts';
import { delayBefore } from '../../service/restart.ts';
import { rescheduled } from '../../service/schedule.ts';

const earlier = (a: Instant, b: Instant): Instant => instant(Math.min(a, b));

const healthBy = (health: HealthProgress, now: Instant): HealthProgress => ({
  ...health,
  ...(health.failingSince !== undefined && { failingSince: earlier(health.failingSince, now) }),
  ...(health.lastCounted !== undefined && { lastCounted: earlier(health.lastCounted, now) }),
});

const stateBy = ({ actual, spec }: Service, now: Instant): ServiceState => {
  switch (actual.tag) {
    case 'starting':
      return { ...actual, since: earlier(actual.since, now), health: healthBy(actual.health, now) };
    case 'up': {
      const [since, readyAt] = [earlier(actual.since, now), earlier(actual.readyAt, now)];
      return { ...actual, since, readyAt, health: healthBy(actual.health, now) };
    }
    case 'stopping':
      return {
        ...actual,
        since: earlier(actual.since, now),
        phaseSince: earlier(actual.phaseSince, now),
      };
    case 'backing-off': {
      const latest = plus(now, delayBefore(actual.attempt, spec.backoff, spec.id));
      return { ...actual, until: earlier(actual.until, latest) };
    }
    default:
      return actual;
  }
};

/** A boundary is by the wall clock: the next one may come sooner than it was thought to. */
const scheduleBy = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

const rolloutBy = ({ rollout }: Service, now: Instant): Pick<Service, 'rollout'> => {
  if (rollout === undefined) return {};
  const [first, ...more] = rollout.stages;
  const by = <T extends { readonly at: Instant }>(stage: T): T => ({ ...stage, at: earlier(stage.at, now) });
  return {
    rollout: { ...rollout, stages: [by(first), ...more.map(by)], other: clamped(rollout.other, now) },
  };
};

const childrenBy = (service: Service, now: Instant): Pick<Service, 'children'> => {
  if (service.children === undefined) return {};
  const by = (child: Child): Child =>
    asChild(child, { ...asService(service, child), actual: stateBy(asService(service, child), now) }) ??
    child;
  return { children: service.children.map(by) };
};

/** The service without an instant that holds anything up longer than it may. */
export const clamped = (service: Service, now: Instant): Service => ({
  ...service,
  actual: stateBy(service, now),
  schedule: scheduleBy(service, now),
  ...rolloutBy(service, now),
  ...childrenBy(service, now),
});
