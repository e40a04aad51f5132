// The two runs of a rollout as services: making the candidate, making it the service, taking it back.
import type { ServiceError } from '../domain/errors/error.ts';
import { freshService } from '../domain/service/fresh-service.ts';
import type { RolloutFacts, RolloutRecord, RolloutStep } from '../domain/service/rollout.ts';
import type { Rollout, Service } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Instant } from '../domain/time.ts';
import { isAlive } from '../graph/standing.ts';
import { UNPROBED } from '../service/health.ts';
import { presentRun } from '../service/input.ts';
import { isForwards } from './impulse.ts';
import { isCalledOff, stepOf } from './input.ts';
import { keptBeside } from './rollback.ts';
import { idleSlot } from './slots.ts';
import { strategyOf } from './strategy.ts';

/** Rollouts kept. */
const KEPT = 10;
/** Moves kept in a service's history. */
const KEPT_MOVES = 50;
const KEPT_INCIDENTS = 20;

/** The newest declaration that is known: for the next run, of the candidate, of the present run. */
export const declaredOf = ({ revised, rollout, spec }: Service): ServiceSpec =>
  revised ?? (rollout !== undefined && isForwards(rollout) ? rollout.other.spec : spec);

/** The declarations that its runs are made of: its own, and that of the run beside it. */
export const madeOf = ({ spec, rollout }: Service): readonly ServiceSpec[] =>
  rollout === undefined ? [spec] : [spec, rollout.other.spec];

/** What is rolled out is not declared any more: the run that is there is what is. */
export const isTakenBack = ({ revised, rollout, spec }: Service): boolean =>
  rollout !== undefined && revised?.digest === spec.digest;

/** Its candidate is being brought to its end, and nobody called it off. */
const isFailing = (rollout: Rollout): boolean =>
  !isForwards(rollout) && stepOf(rollout) !== 'retiring' && !isCalledOff(rollout.undoing);

/** The digest of the declaration that failed to roll out, or is about to have. */
export const rejectedOf = ({ rejected, rollout }: Service): string | undefined =>
  rollout !== undefined && isFailing(rollout) ? rollout.other.spec.digest : rejected;

/** The highest number that any run of the service was given. */
export const highestRun = ({ runs, numbered = 0, rollout }: Service): number =>
  Math.max(
    runs,
    numbered,
    rollout === undefined ? 0 : Math.max(rollout.other.runs, rollout.other.numbered ?? 0),
  );

const candidateOf = (service: Service, insisted: boolean): Service => {
  const spec = declaredOf(service);
  const { blueGreen } = spec.deployment;
  return {
    ...freshService(spec),
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
 * The service with a rollout to its newest declaration. Its own next run, should it need one, is of the old one; whether it was
 * asked for by name is said anew, as with any restart.
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

/** The rollout in its next step. */
export const inStep = <F extends RolloutFacts>(rollout: F, step: RolloutStep, at: Instant): F => ({
  ...rollout,
  stages: [...rollout.stages, { step, at }],
  check: UNPROBED,
});

/** What the service has, whichever of its runs is its own. */
const childrenOf = ({ children, pastChildren, grants, treeMemory }: Service): Partial<Service> => ({
  ...(children && { children }),
  ...(pastChildren && { pastChildren }),
  ...(grants && { grants }),
  ...(treeMemory !== undefined && { treeMemory }),
});

/** What happened to either of its runs. */
const incidentsOf = (service: Service, candidate: Service): Partial<Service> => {
  const incidents = [...(service.incidents ?? []), ...(candidate.incidents ?? [])];
  return incidents.length === 0 ? {} : { incidents: incidents.slice(-KEPT_INCIDENTS) };
};

const newest = <T extends { readonly at: Instant }>(
  one: T | undefined,
  other: T | undefined,
): T | undefined => (one !== undefined && other !== undefined && one.at > other.at ? one : (other ?? one));

/** How a run of it ended last, whichever that was. */
const lastExitOf = (service: Service, other: Service): Pick<Service, 'lastExit'> => {
  const lastExit = newest(service.lastExit, other.lastExit);
  return lastExit === undefined ? {} : { lastExit };
};

/** What went wrong with the service, whichever of its runs that was; what is left of earlier ones is hunted in its name. */
const troublesOf = (service: Service, { other: candidate }: Rollout): Partial<Service> => {
  const restartsTotal = (service.restartsTotal ?? 0) + (candidate.restartsTotal ?? 0);
  const lastFailure = newest(service.lastFailure, candidate.lastFailure);
  return {
    ...incidentsOf(service, candidate),
    ...(restartsTotal > 0 && { restartsTotal }),
    ...(lastFailure && { lastFailure }),
    ...lastExitOf(service, candidate),
    ...(service.remnants && { remnants: service.remnants }),
  };
};

const apart = (service: Service): Service => {
  const { rollout: _, rollouts: __, children: ___, pastChildren: ____, grants: _____, ...without } = service;
  const { remnants: ______, ...rest } = without;
  return { ...rest, awaitedBy: [], gate: 'none' };
};

/** The candidate is the service from now on, and the old run is the one beside it. */
export const promoted = (service: Service, rollout: Rollout): Service => {
  const { other: candidate } = rollout;
  const { awaitedBy, wanted, resume, leaving, gate, insisted } = service;
  const { rollouts, revised, slotKept } = service;
  return {
    ...candidate,
    ...{ awaitedBy, wanted, resume, leaving, gate, insisted },
    ...childrenOf(service),
    ...troublesOf(service, rollout),
    ...(rollouts && { rollouts }),
    ...(revised && { revised }),
    ...keptBeside(service, candidate.spec),
    ...(slotKept !== undefined && { slotKept }),
    numbered: highestRun(service),
    history: [...service.history, ...candidate.history].slice(-KEPT_MOVES),
    rollout: { ...rollout, other: apart(service) },
  };
};

const isOfRollout = (error: ServiceError): error is Extract<ServiceError, { code: 'ERR0115' | 'ERR0116' }> =>
  error.code === 'ERR0115' || error.code === 'ERR0116';

const outcomeOf = ({ undoing }: RolloutFacts): RolloutRecord['outcome'] => {
  if (undoing === undefined) return 'done';
  return undoing.tag;
};

/** Whether there is still somebody to go on as before. */
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
});

/** A declaration whose rollout was called off is taken up by the next run; one that failed is not, and kept in mind for that. */
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

/** What was taken back while it was rolled out is what runs: nothing is still to come. */
const withoutTakenBack = (service: Service): Service => {
  const { revised: _, ...rest } = service;
  return isTakenBack(service) ? rest : service;
};

/** A rollback that failed holds nothing back. */
const withoutRollback = ({ rolledBack, ...rest }: Service, { undoing, other }: Rollout): Service =>
  rolledBack === undefined || (other.spec.digest === rolledBack && undoing?.tag === 'failed')
    ? rest
    : { ...rest, rolledBack };

/** The service without its rollout, which is entered among the last ten. */
export const withoutRollout = (service: Service, at: Instant): Service => {
  const { rollout, ...rest } = withoutTakenBack(service);
  if (rollout === undefined) return service;
  const rollouts = [...(service.rollouts ?? []), recordOf(service, rollout, at)].slice(-KEPT);
  const exit = stepOf(rollout) === 'retiring' ? lastExitOf(rest, rollout.other) : {};
  const own = withoutRollback(rest, rollout);
  return { ...own, ...exit, ...stillToCome(service, rollout), numbered: highestRun(service), rollouts };
};
