// Decides which declaration a rollback returns to, and which declarations are not started automatically
// because their rollout failed or a user rolled back from them. A rollback goes from the current declaration
// to the last earlier one that had a ready run. Only one earlier declaration is kept.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Service, ServiceOrRun } from '../domain/service/service.ts';
import { stepOf } from './rollout-input.ts';
import { isForwards } from './inputs-from-runs.ts';
import type { RolloutRecord } from '../domain/service/rollout.ts';

type Kept = Pick<Service, 'previous' | 'rejected' | 'rolledBack'>;

/**
 * Returns the digests of declarations that are recorded on the service: of a failed rollout, and of a
 * rollback.
 */
const held = ({ rejected, rolledBack }: ServiceOrRun): Kept => ({
  ...(rejected !== undefined && { rejected }),
  ...(rolledBack !== undefined && { rolledBack }),
});

/** Returns, as `previous`, the last declaration that had a ready run; nothing if that is `next` itself. */
const lastGood = ({ spec, proven, previous }: ServiceOrRun, next: ServiceSpec): Kept => {
  const good = proven === spec.digest ? spec : previous;
  return good === undefined || good.digest === next.digest ? {} : { previous: good };
};

/** Returns which other declarations stay recorded on the service when `next` becomes its declaration. */
export const keptBeside = (service: ServiceOrRun, next: ServiceSpec): Kept => {
  const { spec, previous, rolledBack } = service;
  if (next.digest === spec.digest) return { ...(previous && { previous }), ...held(service) };
  return next.digest === rolledBack ? held(service) : lastGood(service, next);
};

/**
 * True while a rollout is in progress that can still be cancelled: its candidate has not replaced the old run
 * and is not being withdrawn.
 */
const isUnderWay = ({ rollout }: Service): boolean =>
  rollout !== undefined && isForwards(rollout) && stepOf(rollout) !== 'retiring';

/**
 * How a service is rolled back:
 * - `call-off`: a rollout is in progress and is cancelled; the old run continues.
 * - `keep`: the last rollout failed, and the declaration to return to already runs.
 * - `bring`: starts a run of `to`.
 */
type Rollback = { readonly tag: 'call-off' | 'keep' } | { readonly tag: 'bring'; readonly to: ServiceSpec };

/** Returns how this service is rolled back; `undefined` if there is nothing to roll back to. */
export const rollbackOf = (service: Service): Rollback | undefined => {
  const { previous, rejected, rolledBack, spec } = service;
  if (isUnderWay(service)) return { tag: 'call-off' };
  if (rolledBack !== undefined) return undefined;
  if (rejected !== undefined)
    return service.actual.tag === 'up' ? { tag: 'keep' } : { tag: 'bring', to: spec };
  return previous === undefined ? undefined : { tag: 'bring', to: previous };
};

const without = ({ revised: _, previous: __, ...rest }: Service): Service => rest;

/** Returns the digest of the newest declaration that the supervisor has read from the manifest. */
const declaredDigest = ({ spec, revised, rejected, rollout }: Service, { tag }: Rollback): string => {
  const candidate = tag === 'call-off' ? rollout?.other.spec : undefined;
  return (revised ?? candidate)?.digest ?? rejected ?? spec.digest;
};

/**
 * Returns the service after a rollback: its declaration in the manifest is not used until an apply or a
 * restart asks for it.
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
 * Returns the last rollout if its traffic switch could not be reverted, so that it is unknown which run has
 * the traffic. `undefined` if the switch was reverted, or if a later rollout has succeeded or failed.
 */
export const lostTraffic = (service: Facts): RolloutRecord | undefined => {
  const last = lastDecided(service);
  const error = last?.outcome === 'failed' ? last.error : undefined;
  return error?.code === 'ERR0116' && error.old === 'unknown' ? last : undefined;
};

/**
 * Returns the failed rollout that a user must know of; `undefined` if there is none. It is no longer
 * returned after:
 * - the declaration is applied, or the manifest declares what runs,
 * - a later rollout has succeeded, or
 * - a user has rolled back.
 */
export const failedRollout = (service: Facts): RolloutRecord | undefined =>
  service.rejected === undefined || service.rolledBack !== undefined
    ? lostTraffic(service)
    : lastDecided(service);
