// Chooses the health check that decides if each run of a blue/green service is healthy
// (`docs/deployments.md`, "Which check judges which run"). Before the traffic is switched,
// `candidate_health_check` checks the candidate. `health_check` checks the run that has the traffic.
import type { RolloutStep } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Deployment, HealthCheck } from '../domain/declared/spec.ts';
import type { ProbeWatch, Watch } from '../domain/watch.ts';
import { fixedSlotOf, isOfSlot, type DeclaredCheck } from './slot-pair.ts';

const asDeclared = ({ probe }: HealthCheck): DeclaredCheck =>
  probe.tag === 'http' ? { url: probe.url } : { command: probe.command };

/**
 * Returns the slot whose address `health_check` always probes; `undefined` if it probes another address, or
 * that of each run's own slot.
 */
const fixedSlot = ({ healthCheck, blueGreen }: Deployment): string | undefined => {
  if (healthCheck === undefined || blueGreen === undefined) return undefined;
  const { candidateHealthCheck: candidate } = blueGreen;
  return fixedSlotOf(asDeclared(healthCheck), candidate && asDeclared(candidate), blueGreen);
};

/**
 * True if `health_check` probes the same address whichever slot has the traffic, for example that of a proxy
 * or of one slot.
 */
const isOfFront = ({ healthCheck, blueGreen }: Deployment): boolean =>
  healthCheck !== undefined && blueGreen !== undefined && !isOfSlot(asDeclared(healthCheck), blueGreen);

/**
 * Returns the check that must pass after the switch, before the old run stops: `switch_verify`, else a
 * `health_check` that always probes the same address (usually a proxy). `undefined` if there is neither.
 */
export const confirmationOf = (deployment: Deployment): HealthCheck | undefined =>
  deployment.blueGreen?.switchVerify ?? (isOfFront(deployment) ? deployment.healthCheck : undefined);

const BEFORE_SWITCH: ReadonlySet<RolloutStep> = new Set(['starting', 'verifying', 'switching']);

/**
 * True if `health_check` cannot check the candidate in this step, because its address still leads to the old
 * run. `candidate_health_check` checks the candidate instead.
 */
const isJudgedLater = (declared: Deployment, step: RolloutStep): boolean =>
  BEFORE_SWITCH.has(step) && declared.blueGreen?.candidateHealthCheck !== undefined && isOfFront(declared);

const withCheck = <R extends Run>(run: R, check: HealthCheck | undefined): R => {
  const { healthCheck: _, ...rest } = run.spec.deployment;
  return { ...run, spec: { ...run.spec, deployment: { ...rest, ...(check && { healthCheck: check }) } } };
};

/**
 * Returns the run with `candidate_health_check` as its check, if `health_check` always probes the address of
 * the other slot; otherwise the run unchanged.
 */
const judgedInSlot = <R extends Run>(run: R, declared: Deployment): R => {
  const fixed = fixedSlot(declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return fixed === undefined || fixed === run.slot || check === undefined ? run : withCheck(run, check);
};

/**
 * Returns the candidate (its placeholders resolved) with the check that applies to it in this step.
 * `declared`: its deployment section before placeholders were resolved.
 */
export const judgedCandidate = (candidate: Run, declared: Deployment, step: RolloutStep): Run =>
  isJudgedLater(declared, step) ? withCheck(candidate, undefined) : judgedInSlot(candidate, declared);

/**
 * Returns the current run with the check that applies to it. Without a `health_check`,
 * `candidate_health_check` applies while that run starts.
 */
export const judgedCurrent = <R extends Run>(run: R, declared: Deployment): R => {
  if (declared.healthCheck !== undefined) return judgedInSlot(run, declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return run.actual.tag === 'starting' && check !== undefined ? withCheck(run, check) : run;
};

/**
 * Returns a function that sets in a probe watch which process must answer the probe. If that is the
 * candidate, the watch also gets a key of its own. Other watches are unchanged.
 */
export const answeredBy =
  (declared: Deployment, answerer: ProbeWatch['answerer']) =>
  (watch: Watch): Watch => {
    const by = isOfFront(declared) ? 'anyone' : answerer;
    if (watch.type !== 'probe' || by === undefined) return watch;
    return { ...watch, answerer: by, key: by === 'candidate' ? `${watch.key}:candidate` : watch.key };
  };
