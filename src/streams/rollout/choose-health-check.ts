// Chooses the health check of each run of a blue/green service. `health_check` checks the run that has the
// traffic. `candidate_health_check` checks the new run before the switch (`docs/deployments.md`, "Which check
// judges which run").
import type { RolloutStep } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import { isAwaited, probeWords, type Check, type HealthCheck } from '../domain/declared/health-check.ts';
import type { Deployment } from '../domain/declared/spec.ts';
import type { ProbeWatch, Watch } from '../domain/watch.ts';
import { fixedSlotOf, isOfSlot, type DeclaredCheck } from './slot-pair.ts';

const asDeclared = ({ probe }: Check): DeclaredCheck => probeWords(probe);

/**
 * Returns the slot that `health_check` probes for both runs; `undefined` if it probes each run in its own
 * slot.
 */
const fixedSlot = ({ healthCheck, blueGreen }: Deployment): string | undefined => {
  if (healthCheck === undefined || blueGreen === undefined) return undefined;
  const { candidateHealthCheck: candidate } = blueGreen;
  return fixedSlotOf(asDeclared(healthCheck), candidate && asDeclared(candidate), blueGreen);
};

interface CheckOf extends Pick<Deployment, 'blueGreen'> {
  readonly healthCheck?: Check | undefined;
}

/** True if `health_check` probes the same address for both runs, such as the address of a proxy. */
const isOfFront = ({ healthCheck, blueGreen }: CheckOf): boolean =>
  healthCheck !== undefined &&
  blueGreen !== undefined &&
  !isAwaited(healthCheck) &&
  !isOfSlot(asDeclared(healthCheck), blueGreen);

/**
 * Returns the check that must pass after the switch: `switch_verify`, or else a `health_check` that always
 * probes the same address.
 */
export const confirmationOf = (deployment: Deployment): HealthCheck | undefined =>
  deployment.blueGreen?.switchVerify ?? (isOfFront(deployment) ? deployment.healthCheck : undefined);

const BEFORE_SWITCH: ReadonlySet<RolloutStep> = new Set(['starting', 'verifying', 'switching']);

/** True if `health_check` cannot check the new run in this step, because it still reaches the old run. */
const isJudgedLater = (declared: Deployment, step: RolloutStep): boolean =>
  BEFORE_SWITCH.has(step) && declared.blueGreen?.candidateHealthCheck !== undefined && isOfFront(declared);

const withCheck = <R extends Run>(run: R, check: HealthCheck | undefined): R => {
  const { healthCheck: _, ...rest } = run.spec.deployment;
  return { ...run, spec: { ...run.spec, deployment: { ...rest, ...(check && { healthCheck: check }) } } };
};

/**
 * Returns the run. If `health_check` always probes the slot of the other run, `candidate_health_check`
 * becomes the check of this run.
 */
const judgedInSlot = <R extends Run>(run: R, declared: Deployment): R => {
  const fixed = fixedSlot(declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return fixed === undefined || fixed === run.slot || check === undefined ? run : withCheck(run, check);
};

/**
 * Returns a copy of the new run that declares only the check for this step. `declared`: the deployment
 * section, in which placeholders are not replaced yet.
 */
export const judgedCandidate = (candidate: Run, declared: Deployment, step: RolloutStep): Run =>
  isJudgedLater(declared, step) ? withCheck(candidate, undefined) : judgedInSlot(candidate, declared);

/**
 * Returns a copy of the current run that declares only the check for this run: `health_check`. Without a
 * `health_check`, a run that starts has `candidate_health_check` as its check.
 */
export const judgedCurrent = <R extends Run>(run: R, declared: Deployment): R => {
  if (declared.healthCheck !== undefined) return judgedInSlot(run, declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return run.actual.tag === 'starting' && check !== undefined ? withCheck(run, check) : run;
};

/**
 * Returns a function that changes a probe watch: it sets which process must answer the probe. Other kinds of
 * watches stay unchanged.
 */
export const answeredBy =
  (declared: Deployment, answerer: ProbeWatch['answerer']) =>
  (watch: Watch): Watch => {
    if (watch.type !== 'probe') return watch;
    const { healthCheck, blueGreen } = declared;
    const asked = {
      healthCheck: watch.liveness ? healthCheck?.liveness : healthCheck,
      ...(blueGreen && { blueGreen }),
    };
    const by = isOfFront(asked) ? 'anyone' : answerer;
    if (by === undefined) return watch;
    return { ...watch, answerer: by, key: by === 'candidate' ? `${watch.key}:candidate` : watch.key };
  };
