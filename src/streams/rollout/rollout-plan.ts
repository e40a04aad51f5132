// The plan of an `apply`: the change to each service, and its expected downtime. The downtime is estimated
// from the last new run of the service.
import type { ServiceId } from '../domain/ids.ts';
import type { PlannedChange } from '../domain/apply-plan.ts';
import type { Rollout, Service, Transition } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { ms, between, type Ms } from '../domain/time.ts';
import { declaredOf } from './two-runs.ts';
import { strategyOf } from './strategy.ts';
import { changesOf } from './without-restart.ts';

/** The states in which no run exists or begins. The time in these states is not part of a restart. */
const IDLE: ReadonlySet<string> = new Set(['down', 'backing-off', 'broken', 'casualty', 'scheduled']);

/** False for a change to `waiting`, because the wait before a first start is not part of the start. */
const isBegun = ({ to }: Transition): boolean => to !== 'waiting';

/** Returns the state changes after the service was last ready. Older changes belong to an earlier outage. */
const lastRun = (history: readonly Transition[]): readonly Transition[] =>
  history.slice(history.findLastIndex(({ to }) => to === 'up') + 1);

/**
 * Returns how long the service was not ready before its last new run became ready. The time begins with the
 * stop of the previous run, or with the start if the service was idle. The result is `undefined` if the new
 * run was ready before the old run ended.
 */
export const lastOutage = (history: readonly Transition[]): Ms | undefined => {
  const ready = history.findLastIndex(({ to }) => to === 'up');
  const upTo = lastRun(history.slice(0, Math.max(ready, 0)));
  const from = upTo.findLastIndex(({ to }) => to === 'stopping');
  const idle = upTo.findLastIndex(({ to }) => IDLE.has(to));
  const begin = from > idle ? upTo[from] : upTo.slice(idle + 1).find(isBegun);
  const end = history[ready];
  if (begin === undefined || end === undefined || begin.at > end.at) return undefined;
  return between(begin.at, end.at);
};

/** Returns the planned removal of a service, without an expected downtime. */
export const plannedRemoval = ({ spec }: Service): PlannedChange => ({
  service: spec.id,
  action: 'remove',
  strategy: 'immediate',
  keys: [],
});

const restOf = ({ skip, kind }: ServiceSpec): PlannedChange['rest'] => {
  if (skip === true) return 'skipped';
  return kind === 'cron' ? 'scheduled' : undefined;
};

/** Returns the planned change for a new service. The service has no run yet, so its downtime is 0. */
export const plannedAddition = (service: Service): PlannedChange => {
  const declared = declaredOf(service);
  const rest = service.insisted ? undefined : restOf(declared);
  return {
    service: service.spec.id,
    action: 'add',
    strategy: strategyOf(declared),
    keys: [],
    ...(rest === undefined ? { down: ms(0) } : { rest }),
  };
};

/** Returns the planned change of a skipped service, without an expected downtime. */
export const plannedSkip = ({ down: _, ...planned }: PlannedChange): PlannedChange => ({
  ...planned,
  rest: 'skipped',
});

const downOf = (service: Service, isRolled: boolean): Ms | undefined =>
  isRolled ? ms(0) : lastOutage(service.history);

/**
 * Returns the planned change of a service that waits for the dependency `need`, which will not become ready.
 * `isKept`: true if its present run continues.
 */
export const plannedInVain = (
  planned: PlannedChange,
  { need, isKept }: { readonly need: ServiceId; readonly isKept: boolean },
): PlannedChange => {
  const { down, ...rest } = planned;
  if (isKept) return { ...rest, rest: 'kept', waitsFor: need };
  // A downtime other than 0 cannot be estimated, because it lasts until the dependency is ready.
  return { ...rest, ...(down === 0 && { down }), waitsFor: need };
};

/** Returns the planned change of a service if its rollout is cancelled and its current run continues. */
export const plannedReturn = ({ spec }: Service, { strategy }: Rollout): PlannedChange => ({
  service: spec.id,
  action: 'change',
  strategy,
  keys: [],
  down: ms(0),
  rest: 'called-off',
});

/** Returns the planned change of a service if its current run can use the new declaration. */
export const plannedLive = ({ spec }: Service, revision: ServiceSpec): PlannedChange => ({
  service: spec.id,
  action: 'change',
  strategy: strategyOf(revision),
  keys: changesOf(spec, revision),
  down: ms(0),
  rest: 'live',
});

/**
 * Returns the planned change of a service that needs a new run. `isRolled`: true if the old run continues
 * until the new run is ready.
 */
export const plannedChange = (service: Service, isRolled: boolean): PlannedChange => {
  const declared = declaredOf(service);
  const rest = restOf(declared);
  const down = rest === undefined ? downOf(service, isRolled) : undefined;
  return {
    service: service.spec.id,
    action: 'change',
    strategy: isRolled ? strategyOf(declared) : 'immediate',
    keys: changesOf(service.spec, declared),
    ...(down !== undefined && { down }),
    ...(rest && { rest }),
  };
};
