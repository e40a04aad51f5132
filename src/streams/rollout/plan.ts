// What `apply` would do, service by service.
import type { ServiceId } from '../domain/ids.ts';
import type { PlannedChange } from '../domain/plan.ts';
import type { Rollout, Service } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { ms, type Ms } from '../domain/time.ts';
import { lastOutage } from './outage.ts';
import { declaredOf } from './runs.ts';
import { strategyOf } from './strategy.ts';
import { changesOf } from './without-restart.ts';

/** Of a service that is not declared any more: it stops for good, so no time is promised. */
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

/** Of a service that is new: nothing of it runs, so nothing is down meanwhile. */
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

/** The same where it needs a service that is left out: it is left out too. */
export const plannedSkip = ({ down: _, ...planned }: PlannedChange): PlannedChange => ({
  ...planned,
  rest: 'skipped',
});

const downOf = (service: Service, isRolled: boolean): Ms | undefined =>
  isRolled ? ms(0) : lastOutage(service.history);

/** The same where a need of its new run does not come. `isKept`: its run goes on for that, and no new one is brought. */
export const plannedInVain = (
  planned: PlannedChange,
  { need, isKept }: { readonly need: ServiceId; readonly isKept: boolean },
): PlannedChange => {
  const { down, ...rest } = planned;
  if (isKept) return { ...rest, rest: 'kept', waitsFor: need };
  // Who is not there yet is not there for as long as it waits.
  return { ...rest, ...(down === 0 && { down }), waitsFor: need };
};

/** Of a change that was taken back while it is rolled out: the run that is there goes on. */
export const plannedReturn = ({ spec }: Service, { strategy }: Rollout): PlannedChange => ({
  service: spec.id,
  action: 'change',
  strategy,
  keys: [],
  down: ms(0),
  rest: 'called-off',
});

/** Of a change that the run that is there takes up. */
export const plannedLive = ({ spec }: Service, revision: ServiceSpec): PlannedChange => ({
  service: spec.id,
  action: 'change',
  strategy: strategyOf(revision),
  keys: changesOf(spec, revision),
  down: ms(0),
  rest: 'live',
});

/** `isRolled`: it would be brought to its new run beside the old one. */
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
