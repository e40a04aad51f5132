// Chooses the declaration for a rollback: the last declaration before the current one that had a ready run.
// Also records, after a failed rollout or a rollback, the declarations that must not start automatically.
// Rules: `docs/behaviour.md`, "Restart by hand", "A rollout that fails"; `docs/behaviour.md`, "Instances",
// "One after another".
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Service, ServiceOrRun } from '../domain/service/service.ts';
import { stepOf } from './rollout-input.ts';
import { isForwards } from './inputs-from-runs.ts';
import type { RolloutRecord } from '../domain/service/rollout.ts';

type RollbackFacts = Pick<Service, 'previous' | 'rejected' | 'rolledBack'>;

/** Returns the recorded digests of declarations that failed to roll out or were rolled back. */
const held = ({ rejected, rolledBack }: ServiceOrRun): RollbackFacts => ({
  ...(rejected !== undefined && { rejected }),
  ...(rolledBack !== undefined && { rolledBack }),
});

/** Returns, as `previous`, the last declaration that had a ready run, unless this declaration is `next`. */
const lastGood = ({ spec, proven, previous }: ServiceOrRun, next: ServiceSpec): RollbackFacts => {
  const good = proven === spec.digest ? spec : previous;
  return good === undefined || good.digest === next.digest ? {} : { previous: good };
};

/** Returns which declarations stay recorded when `next` becomes the service's declaration. */
export const rollbackFactsAfter = (service: ServiceOrRun, next: ServiceSpec): RollbackFacts => {
  const { spec, previous, rolledBack } = service;
  if (next.digest === spec.digest) return { ...(previous && { previous }), ...held(service) };
  return next.digest === rolledBack ? held(service) : lastGood(service, next);
};

/** True while a rollout can still be cancelled. */
const isUnderWay = ({ rollout }: Service): boolean =>
  rollout !== undefined && isForwards(rollout) && stepOf(rollout) !== 'retiring';

/**
 * The way in which a service is rolled back:
 * - `call-off`: the rollout in progress is cancelled; the old run continues.
 * - `keep`: the last rollout failed, so the service still runs with the previous declaration.
 * - `bring`: starts a run of `to`.
 */
type Rollback = { readonly tag: 'call-off' | 'keep' } | { readonly tag: 'bring'; readonly to: ServiceSpec };

/** Returns how this service is rolled back; `undefined` if there is no declaration to return to. */
export const rollbackOf = (service: Service): Rollback | undefined => {
  const { previous, rejected, rolledBack, spec } = service;
  if (isUnderWay(service)) return { tag: 'call-off' };
  if (rolledBack !== undefined) return undefined;
  if (rejected !== undefined)
    return service.actual.tag === 'up' ? { tag: 'keep' } : { tag: 'bring', to: spec };
  return previous === undefined ? undefined : { tag: 'bring', to: previous };
};

const without = ({ revised: _, previous: __, ...rest }: Service): Service => rest;

/** Returns the digest of the newest declaration read from the manifest. */
const declaredDigest = ({ spec, revised, rejected, rollout }: Service, { tag }: Rollback): string => {
  const candidate = tag === 'call-off' ? rollout?.other.spec : undefined;
  return (revised ?? candidate)?.digest ?? rejected ?? spec.digest;
};

/**
 * Returns the service after a rollback. The declaration in its manifest is not used again before the next
 * apply or restart.
 */
export const rolledBack = (service: Service, rollback: Rollback): Service => {
  const { spec } = service;
  const to = rollback.tag === 'bring' ? rollback.to : spec;
  return {
    ...without(service),
    ...(to.digest !== spec.digest && { revised: to }),
    rejected: declaredDigest(service, rollback),
    rolledBack: to.digest,
  };
};

type Facts = Pick<Service, 'rejected' | 'rolledBack' | 'rollouts'>;

const lastDecided = ({ rollouts }: Facts): RolloutRecord | undefined =>
  rollouts?.findLast(({ outcome }) => outcome !== 'called-off');

/**
 * Returns the last rollout if its switch could not be reverted. It is then unknown which run has the traffic.
 */
export const lostTraffic = (service: Facts): RolloutRecord | undefined => {
  const last = lastDecided(service);
  const error = last?.outcome === 'failed' ? last.error : undefined;
  return error?.code === 'ERR0116' && error.old === 'unknown' ? last : undefined;
};

/**
 * Returns the failed rollout that must be shown to users. It is shown until a later rollout succeeds, a user
 * rolls back, or the declaration is applied again or withdrawn.
 */
export const failedRollout = (service: Facts): RolloutRecord | undefined =>
  service.rejected === undefined || service.rolledBack !== undefined
    ? lostTraffic(service)
    : lastDecided(service);
