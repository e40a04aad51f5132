// The two runs of a rollout: creates the new run, makes it the current run, or withdraws it.
import type { ServiceError } from '../domain/errors/error.ts';
import {
  freshRun,
  type Rollout,
  type Service,
  type ServiceFacts,
  type ServiceOrRun,
} from '../domain/service/service.ts';
import type { RolloutFacts, RolloutRecord, RolloutStep } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import { factsOf, runsOf, withoutFacts } from '../domain/service/runs-of.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Instant } from '../domain/time.ts';
import { isAlive } from '../graph/dependency-state.ts';
import { UNPROBED } from '../domain/service/service-state.ts';
import { KEPT_INCIDENTS, KEPT_MOVES } from '../service/state-history.ts';
import { cutOff, KEPT_RUNS } from '../service/scheduled/scheduled-results.ts';
import { presentRun, type Input } from '../service/service-input.ts';
import { isForwards } from './inputs-from-runs.ts';
import { isCalledOff, stepOf, stepSince } from './rollout-input.ts';
import { rollbackFactsAfter } from './rollback-spec.ts';
import { idleSlot } from './slot-pair.ts';
import { strategyOf } from './strategy.ts';

/** The number of finished rollouts that are kept for each service. */
const KEPT = 10;

/**
 * Returns the newest declaration: the pending declaration, or else the declaration of the new run, or else
 * the declaration of the current run.
 */
export const declaredOf = ({ revised, rollout, spec }: ServiceOrRun): ServiceSpec =>
  revised ?? (rollout !== undefined && isForwards(rollout) ? rollout.other.spec : spec);

/** Returns the declarations that the service's runs use. */
export const madeOf = (service: Service): readonly ServiceSpec[] => runsOf(service).map(({ spec }) => spec);

/**
 * True if the manifest again has the declaration of the current run, while another declaration is rolled out.
 */
export const isTakenBack = ({ revised, rollout, spec }: Service): boolean =>
  rollout !== undefined && revised?.digest === spec.digest;

/** True if the new run is being stopped because the rollout failed, not because it was cancelled. */
const isFailing = (rollout: Rollout): boolean =>
  !isForwards(rollout) && stepOf(rollout) !== 'retiring' && !isCalledOff(rollout.undoing);

/** Returns the digest of the declaration with a rollout that fails now or has failed last. */
export const rejectedOf = ({ rejected, rollout }: Service): string | undefined =>
  rollout !== undefined && isFailing(rollout) ? rollout.other.spec.digest : rejected;

/** Returns the highest run number that the service has used. */
export const highestRun = ({ runs, numbered = 0, rollout }: Service): number =>
  Math.max(
    runs,
    numbered,
    rollout === undefined ? 0 : Math.max(rollout.other.runs, rollout.other.numbered ?? 0),
  );

const candidateOf = (service: Service, insisted: boolean): Run => {
  const spec = declaredOf(service);
  const { blueGreen } = spec.deployment;
  return {
    ...freshRun(spec),
    wanted: 'up',
    actual: { tag: 'waiting', for: 'dependencies' },
    runs: service.runs,
    numbered: highestRun(service),
    lane: service.lane === 1 ? 0 : 1,
    ...(blueGreen && { slot: idleSlot(blueGreen, service.slot) }),
    insisted,
  };
};

/**
 * Returns the service, in which a rollout to its newest declaration begins. `insisted`: the user named the
 * service.
 */
export const withRollout = (service: Service, at: Instant, insisted: boolean): Service => {
  const { revised: _, ...rest } = service;
  const other = candidateOf(service, insisted);
  const strategy = strategyOf(other.spec) === 'blue-green' ? 'blue-green' : 'rolling';
  const rollout: Rollout = {
    strategy,
    stages: [{ step: 'starting', at }],
    old: presentRun(service),
    check: UNPROBED,
    evidence: [],
    other,
  };
  return { ...rest, insisted, rollout };
};

/**
 * Returns the last output of the new run, for the error of the rollout. It is recorded when the new run has
 * ended.
 */
const evidenceOf = (rollout: Rollout, input: Input): Rollout['evidence'] =>
  input.type === 'surveyed' && input.alive.length === 0 ? input.evidence : rollout.evidence;

interface OtherMoved {
  readonly rollout: Rollout;
  readonly other: Run;
  readonly input: Input;
}

/** Returns the service, in which the second run of its rollout is replaced by `other`, its changed state. */
export const withOther = (service: Service, { rollout, other, input }: OtherMoved): Service => {
  const begun = isForwards(rollout) && 'run' in other.actual;
  const candidate = begun ? { candidate: presentRun(other) } : {};
  const next = { ...rollout, other, ...candidate, evidence: evidenceOf(rollout, input) };
  const after = { ...service, rollout: next };
  return { ...after, numbered: highestRun(after) };
};

/** Returns the rollout, moved to the step `step`, which begins at `at`. */
export const inStep = <F extends RolloutFacts>(rollout: F, step: RolloutStep, at: Instant): F => ({
  ...rollout,
  stages: [...rollout.stages, { step, at }],
  check: UNPROBED,
});

/** Joins the incidents of both runs (changes of health, signals by users), and returns the newest ones. */
const incidentsOf = (old: Run, candidate: Run): Partial<Run> => {
  const incidents = [...(old.incidents ?? []), ...(candidate.incidents ?? [])];
  return incidents.length === 0 ? {} : { incidents: incidents.slice(-KEPT_INCIDENTS) };
};

const newest = <T extends { readonly at: Instant }>(
  one: T | undefined,
  other: T | undefined,
): T | undefined => (one !== undefined && other !== undefined && one.at > other.at ? one : (other ?? one));

const lastExitOf = (one: Run, other: Run): Pick<Run, 'lastExit'> => {
  const lastExit = newest(one.lastExit, other.lastExit);
  return lastExit === undefined ? {} : { lastExit };
};

/** Combines the records of both runs: failures, exits, incidents and state changes. */
const memoriesOf = (old: Run, candidate: Run): Partial<Run> => {
  const restartsTotal = (old.restartsTotal ?? 0) + (candidate.restartsTotal ?? 0);
  const lastFailure = newest(old.lastFailure, candidate.lastFailure);
  return {
    ...incidentsOf(old, candidate),
    ...(restartsTotal > 0 && { restartsTotal }),
    ...(lastFailure && { lastFailure }),
    ...lastExitOf(old, candidate),
    history: [...old.history, ...candidate.history].slice(-KEPT_MOVES),
  };
};

/** Returns the schedule of the new run, to which the past scheduled runs of the old run are added. */
const scheduleOf = (old: Run, candidate: Run, at: Instant): Run['schedule'] => ({
  ...candidate.schedule,
  runs: [...cutOff(old.schedule, at).runs, ...candidate.schedule.runs].slice(-KEPT_RUNS),
});

/** Returns the facts of the service that stay when the declaration of its current run changes. */
const lastingFacts = (service: Service): ServiceFacts => {
  const { previous: _, rejected: __, rolledBack: ___, ...facts } = factsOf(service);
  return facts;
};

/** Returns the service with both runs exchanged: the new run is the current one, the old run the second. */
export const withCandidate = (service: Service, rollout: Rollout): Service => {
  const { wanted, insisted } = service;
  const { other: candidate } = rollout;
  return {
    ...candidate,
    ...lastingFacts(service),
    ...{ wanted, insisted },
    ...memoriesOf(service, candidate),
    schedule: scheduleOf(service, candidate, stepSince(rollout)),
    ...rollbackFactsAfter(service, candidate.spec),
    numbered: highestRun(service),
    rollout: { ...rollout, other: withoutFacts(service) },
  };
};

const isOfRollout = (error: ServiceError): error is Extract<ServiceError, { code: 'ERR0115' | 'ERR0116' }> =>
  error.code === 'ERR0115' || error.code === 'ERR0116';

const outcomeOf = ({ undoing }: RolloutFacts): RolloutRecord['outcome'] => {
  if (undoing === undefined) return 'done';
  return undoing.tag;
};

/** Returns the error of a rollout. If the old run no longer runs, `old` is set to `gone` in this error. */
const errorOf = (service: Service, error: ServiceError): ServiceError =>
  isOfRollout(error) && !isAlive(service) ? { ...error, old: 'gone' } : error;

const recordOf = (service: Service, rollout: Rollout, at: Instant): RolloutRecord => ({
  strategy: rollout.strategy,
  outcome: outcomeOf(rollout),
  ...(rollout.undoing?.tag === 'failed' && { error: errorOf(service, rollout.undoing.error) }),
  stages: rollout.stages,
  ended: at,
  old: rollout.old,
  ...(rollout.candidate !== undefined && { candidate: rollout.candidate }),
  ...(service.slot !== undefined && { slot: service.slot }),
  ...(service.spec.digest !== rollout.other.spec.digest && { ofChange: true }),
});

/**
 * Returns the fields that record the declaration of an ended rollout. After a cancelled rollout the
 * declaration is pending, for the next run. After a failed rollout it is rejected.
 */
const stillToCome = (
  service: Service,
  { undoing, other: { spec }, ...rollout }: Rollout,
): Partial<Service> => {
  const { revised, rejected } = service;
  const isNews = ![service.spec.digest, revised?.digest, rejected].includes(spec.digest);
  if (undoing === undefined || stepOf(rollout) === 'retiring' || !isNews) return {};
  if (!isCalledOff(undoing)) return { rejected: spec.digest };
  return revised === undefined ? { revised: spec } : {};
};

/** Returns the service without its pending declaration if the current run already uses this declaration. */
const withoutTakenBack = (service: Service): Service => {
  const { revised: _, ...rest } = service;
  return isTakenBack(service) ? rest : service;
};

/**
 * Returns the service. If the rollout to the declaration of a manual rollback failed, removes the record of
 * that rollback.
 */
const withoutRollback = ({ rolledBack, ...rest }: Service, { undoing, other }: Rollout): Service =>
  rolledBack === undefined || (other.spec.digest === rolledBack && undoing?.tag === 'failed')
    ? rest
    : { ...rest, rolledBack };

/** Returns the service without its rollout, which is added to the finished rollouts. */
export const withoutRollout = (service: Service, at: Instant): Service => {
  const { rollout, ...rest } = withoutTakenBack(service);
  if (rollout === undefined) return service;
  const rollouts = [...(service.rollouts ?? []), recordOf(service, rollout, at)].slice(-KEPT);
  const exit = stepOf(rollout) === 'retiring' ? lastExitOf(rest, rollout.other) : {};
  const own = withoutRollback(rest, rollout);
  return { ...own, ...exit, ...stillToCome(service, rollout), numbered: highestRun(service), rollouts };
};
