// Which check judges which run of a blue/green service
// (`docs/deployments.md`, "Which check judges which run"). Before the switch `candidate_health_check` judges
// the candidate; `health_check` judges the run with the traffic.
import type { RolloutStep } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Deployment, HealthCheck } from '../domain/declared/spec.ts';
import type { ProbeWatch, Watch } from '../domain/watch.ts';
import { fixedSlotOf, isOfSlot, type DeclaredCheck } from './slot-pair.ts';

const asDeclared = ({ probe }: HealthCheck): DeclaredCheck =>
  probe.tag === 'http' ? { url: probe.url } : { command: probe.command };

/** The fixed slot that `health_check` asks, if it asks one. */
const fixedSlot = ({ healthCheck, blueGreen }: Deployment): string | undefined => {
  if (healthCheck === undefined || blueGreen === undefined) return undefined;
  const { candidateHealthCheck: candidate } = blueGreen;
  return fixedSlotOf(asDeclared(healthCheck), candidate && asDeclared(candidate), blueGreen);
};

/** True if `health_check` asks the same thing whichever slot has the traffic: a proxy, or one fixed slot. */
const isOfFront = ({ healthCheck, blueGreen }: Deployment): boolean =>
  healthCheck !== undefined && blueGreen !== undefined && !isOfSlot(asDeclared(healthCheck), blueGreen);

/** The check that must pass before the old run stops: `switch_verify`, else a `health_check` of the proxy. */
export const confirmationOf = (deployment: Deployment): HealthCheck | undefined =>
  deployment.blueGreen?.switchVerify ?? (isOfFront(deployment) ? deployment.healthCheck : undefined);

const BEFORE_SWITCH: ReadonlySet<RolloutStep> = new Set(['starting', 'verifying', 'switching']);

/** True if only `candidate_health_check` can judge a candidate without traffic. */
const isJudgedLater = (declared: Deployment, step: RolloutStep): boolean =>
  BEFORE_SWITCH.has(step) && declared.blueGreen?.candidateHealthCheck !== undefined && isOfFront(declared);

const withCheck = <R extends Run>(run: R, check: HealthCheck | undefined): R => {
  const { healthCheck: _, ...rest } = run.spec.deployment;
  return { ...run, spec: { ...run.spec, deployment: { ...rest, ...(check && { healthCheck: check }) } } };
};

/** If `health_check` asks the other slot's fixed address, only `candidate_health_check` can ask this one. */
const judgedInSlot = <R extends Run>(run: R, declared: Deployment): R => {
  const fixed = fixedSlot(declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return fixed === undefined || fixed === run.slot || check === undefined ? run : withCheck(run, check);
};

/** The candidate, its placeholders resolved, with the check that judges it in this step. */
export const judgedCandidate = (candidate: Run, declared: Deployment, step: RolloutStep): Run =>
  isJudgedLater(declared, step) ? withCheck(candidate, undefined) : judgedInSlot(candidate, declared);

/**
 * The current run, judged in the same way. Without `health_check`, `candidate_health_check` judges its
 * start.
 */
export const judgedCurrent = <R extends Run>(run: R, declared: Deployment): R => {
  if (declared.healthCheck !== undefined) return judgedInSlot(run, declared);
  const check = run.spec.deployment.blueGreen?.candidateHealthCheck;
  return run.actual.tag === 'starting' && check !== undefined ? withCheck(run, check) : run;
};

/** Which process must answer a run's probes; those that the candidate must answer have their own key. */
export const answeredBy =
  (declared: Deployment, answerer: ProbeWatch['answerer']) =>
  (watch: Watch): Watch => {
    const by = isOfFront(declared) ? 'anyone' : answerer;
    if (watch.type !== 'probe' || by === undefined) return watch;
    return { ...watch, answerer: by, key: by === 'candidate' ? `${watch.key}:candidate` : watch.key };
  };
