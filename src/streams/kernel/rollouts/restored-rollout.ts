// Restores recorded rollouts, each in its step. If two runs are alive and no rollout is recorded, withdraws
// the newer run.
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
import { adopted, lostRun, withoutRun } from '../boot/adopt-runs.ts';

interface BootFacts {
  /** Runs found alive, oldest first. */
  readonly found: readonly Found[];
  readonly sameBoot: boolean;
  readonly at: Instant;
}

const adoptedOrOver = (service: Service, found: Found | undefined, { sameBoot, at }: BootFacts): Service =>
  found === undefined ? withoutRun(service, sameBoot, at) : adopted(service, found, at);

/** Returns why the rollout failed: its new run ended while no supervisor ran. */
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

/** Returns a copy of the service that has no rollout any more, because a reboot ended both runs. */
const abandoned = (service: Service, rollout: Rollout, at: Instant): Service =>
  withoutRollout(
    stepOf(rollout) === 'retiring'
      ? service
      : { ...service, rollout: { ...rollout, undoing: undoingOf(rollout) } },
    at,
  );

/** True if the new run has its own number. Until it begins, it has the number of the current run. */
const hasBegun = (service: Service, candidate: Run): boolean => presentRun(candidate) !== presentRun(service);

const otherRestored = (other: Run, found: Found | undefined, { sameBoot, at }: BootFacts): Run =>
  found === undefined ? lostRun(other, sameBoot, at) : adopted(other, found, at);

const goesOn = (service: Service, rollout: Rollout, bootFacts: BootFacts): Service => {
  const of = (run: number): Found | undefined => bootFacts.found.find((one) => one.run === run);
  const own = of(presentRun(service));
  const others = hasBegun(service, rollout.other) ? of(presentRun(rollout.other)) : undefined;
  // The record may be older than the candidate. Then the candidate is the newest run that was found.
  const newest = bootFacts.found.findLast((one) => one.run > presentRun(service));
  const other = otherRestored(rollout.other, others ?? (own && newest), bootFacts);
  const recorded = own ?? bootFacts.found.findLast((one) => one.run !== presentRun(other));
  return { ...adoptedOrOver(service, recorded, bootFacts), rollout: { ...rollout, other } };
};

/**
 * Returns the service in a rollout that stops `candidate`, the newer of two live runs, and keeps the older
 * run.
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

/** States of a current run during which a candidate can begin. */
const SERVES: ReadonlySet<string> = new Set(['starting', 'up']);

/** Returns the restored service, which has adopted the runs that were found alive. */
export const restored = (service: Service, bootFacts: BootFacts): Service => {
  const { rollout } = service;
  if (rollout !== undefined)
    return bootFacts.sameBoot
      ? goesOn(service, rollout, bootFacts)
      : withoutRun(abandoned(service, rollout, bootFacts.at), false, bootFacts.at);
  const own = bootFacts.found.find((one) => one.run === presentRun(service));
  const newest = bootFacts.found.findLast((one) => one.run > presentRun(service));
  if (own !== undefined && newest !== undefined && SERVES.has(service.actual.tag))
    return takenBack(adopted(service, own, bootFacts.at), newest, bootFacts.at);
  return adoptedOrOver(service, newest ?? own, bootFacts);
};
