// All instants of a service from which a duration is counted, or at which one ends. They use the wall clock
// because they outlive the supervisor. Setting that clock must not change the durations.
// Rules: `docs/behaviour.md`, "Clocks".
import { asChild, asRun } from '../../children/run.ts';
import type { Child } from '../../domain/service/child.ts';
import type { HealthProgress } from '../../domain/service/service-state.ts';
import type { Run } from '../../domain/service/run.ts';
import type { Schedule, Service, ServiceState } from '../../domain/service/service.ts';
import type { Instant, Ms } from '../../domain/time.ts';
import { delayBefore } from '../../service/restart.ts';

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
