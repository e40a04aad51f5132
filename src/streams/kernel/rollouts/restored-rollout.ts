// Restores rollouts that the previous supervisor recorded; each continues in its step. If two runs live and
// no rollout is recorded, the newer run is a candidate that was not recorded in time: it is withdrawn.
import type { Found } from '../../domain/event.ts';
import type { Undoing } from '../../domain/service/rollout.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Rollout, Service } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import { candidateFailed } from '../../rollout/rollout-failure.ts';
import { isForwards } from '../../rollout/inputs-from-runs.ts';
import { reachedStep, stepOf } from '../../rollout/rollout-input.ts';
import { inStep, withoutRollout, withRollout } from '../../rollout/two-runs.ts';
import { presentRun } from '../../service/service-input.ts';
import { adopted, lostRun, withoutRun } from '../boot/found-runs.ts';

/** What a supervisor finds of one service when it starts. */
interface Morning {
  /** Runs of this service found alive, oldest first. */
  readonly found: readonly Found[];
  readonly sameBoot: boolean;
  readonly at: Instant;
}

const adoptedOrOver = (service: Service, found: Found | undefined, { sameBoot, at }: Morning): Service =>
  found === undefined ? withoutRun(service, sameBoot, at) : adopted(service, found, at);

/** Returns the failure of a rollout if its candidate ended while no supervisor ran. */
const lostOf = (rollout: Rollout): Undoing => {
  const { actual, spec } = rollout.other;
  const status = (actual.tag === 'stopping' ? actual.exit : undefined) ?? { tag: 'unknown' };
  const { evidence } = rollout;
  const service = spec.id;
  const step = reachedStep(rollout);
  return candidateFailed({ code: 'ERR0101', service, status }, { service, step, evidence });
};

const undoingOf = (rollout: Rollout): Undoing => {
  if (rollout.undoing !== undefined) return rollout.undoing;
  return isForwards(rollout) ? { tag: 'called-off' } : lostOf(rollout);
};

/**
 * Returns the service after a reboot, which ended both runs, without its rollout. A candidate that had
 * replaced the old run stays the current run; otherwise the rollout is recorded as failed or cancelled.
 */
const abandoned = (service: Service, rollout: Rollout, at: Instant): Service =>
  withoutRollout(
    stepOf(rollout) === 'retiring'
      ? service
      : { ...service, rollout: { ...rollout, undoing: undoingOf(rollout) } },
    at,
  );

/**
 * True if the candidate has begun and so has a run number of its own. Until then it has the number of the
 * current run, and a process found with that number is not the candidate's.
 */
const hasBegun = (service: Service, candidate: Run): boolean => presentRun(candidate) !== presentRun(service);

const otherRestored = (other: Run, found: Found | undefined, { sameBoot, at }: Morning): Run =>
  found === undefined ? lostRun(other, sameBoot, at) : adopted(other, found, at);

const goesOn = (service: Service, rollout: Rollout, morning: Morning): Service => {
  const of = (run: number): Found | undefined => morning.found.find((one) => one.run === run);
  const own = of(presentRun(service));
  const others = hasBegun(service, rollout.other) ? of(presentRun(rollout.other)) : undefined;
  // A candidate may have begun after it was last recorded.
  const newest = morning.found.findLast((one) => one.run > presentRun(service));
  const other = otherRestored(rollout.other, others ?? (own && newest), morning);
  const recorded = own ?? morning.found.findLast((one) => one.run !== presentRun(other));
  return { ...adoptedOrOver(service, recorded, morning), rollout: { ...rollout, other } };
};

/**
 * Returns the service with a rollout whose candidate, the newer of two live runs, is withdrawn, because no
 * rollout was recorded.
 */
const takenBack = (service: Service, candidate: Found, at: Instant): Service => {
  const begun = withRollout(service, at, service.insisted);
  const { rollout } = begun;
  if (rollout === undefined) return service;
  const other: Run = { ...adopted(rollout.other, candidate, at), wanted: 'down' };
  const undoing = { tag: 'called-off' } as const;
  const back = { ...inStep(rollout, 'withdrawing', at), undoing, candidate: candidate.run, other };
  return { ...begun, rollout: back };
};

/** States of the current run that were recorded while the newer run could begin. */
const SERVES: ReadonlySet<string> = new Set(['starting', 'up']);

/**
 * Returns the restored service with its current run, and during a rollout the other run, adopted as they were
 * found.
 */
export const restored = (service: Service, morning: Morning): Service => {
  const { rollout } = service;
  if (rollout !== undefined)
    return morning.sameBoot
      ? goesOn(service, rollout, morning)
      : withoutRun(abandoned(service, rollout, morning.at), false, morning.at);
  const own = morning.found.find((one) => one.run === presentRun(service));
  const newest = morning.found.findLast((one) => one.run > presentRun(service));
  if (own !== undefined && newest !== undefined && SERVES.has(service.actual.tag))
    return takenBack(adopted(service, own, morning.at), newest, morning.at);
  return adoptedOrOver(service, newest ?? own, morning);
};
