// The declarations that a failed rollout or a manual rollback holds back. A rollback goes from the current
// declaration to the last earlier one of which a run was ready. One is kept.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { Service, ServiceOrRun } from '../domain/service/service.ts';
import { stepOf } from './rollout-input.ts';
import { isForwards } from './inputs-from-runs.ts';
import type { RolloutRecord } from '../domain/service/rollout.ts';

type Kept = Pick<Service, 'previous' | 'rejected' | 'rolledBack'>;

/** What a failure or a manual rollback holds back. */
const held = ({ rejected, rolledBack }: ServiceOrRun): Kept => ({
  ...(rejected !== undefined && { rejected }),
  ...(rolledBack !== undefined && { rolledBack }),
});

/** The last good declaration, if it is not `next` itself. */
const lastGood = ({ spec, proven, previous }: ServiceOrRun, next: ServiceSpec): Kept => {
  const good = proven === spec.digest ? spec : previous;
  return good === undefined || good.digest === next.digest ? {} : { previous: good };
};

/** What is kept of other declarations when `next` becomes the declaration of the service. */
export const keptBeside = (service: ServiceOrRun, next: ServiceSpec): Kept => {
  const { spec, previous, rolledBack } = service;
  if (next.digest === spec.digest) return { ...(previous && { previous }), ...held(service) };
  return next.digest === rolledBack ? held(service) : lastGood(service, next);
};

/** True if the candidate of the rollout is not the service yet. */
const isUnderWay = ({ rollout }: Service): boolean =>
  rollout !== undefined && isForwards(rollout) && stepOf(rollout) !== 'retiring';

/**
 * How a service is rolled back.
 * - `call-off`: a rollout is in progress; the old run continues.
 * - `keep`: the last rollout failed; the target already runs.
 * - `bring`: starts a run of `to`.
 */
type Rollback = { readonly tag: 'call-off' | 'keep' } | { readonly tag: 'bring'; readonly to: ServiceSpec };

/** How this service is rolled back; `undefined` if there is nothing to roll back to. */
export const rollbackOf = (service: Service): Rollback | undefined => {
  const { previous, rejected, rolledBack, spec } = service;
  if (isUnderWay(service)) return { tag: 'call-off' };
  if (rolledBack !== undefined) return undefined;
  if (rejected !== undefined)
    return service.actual.tag === 'up' ? { tag: 'keep' } : { tag: 'bring', to: spec };
  return previous === undefined ? undefined : { tag: 'bring', to: previous };
};

const without = ({ revised: _, previous: __, ...rest }: Service): Service => rest;

/** The digest of what its manifest is known to declare. */
const declaredDigest = ({ spec, revised, rejected, rollout }: Service, { tag }: Rollback): string => {
  const candidate = tag === 'call-off' ? rollout?.other.spec : undefined;
  return (revised ?? candidate)?.digest ?? rejected ?? spec.digest;
};

/**
 * The service during a rollback: its manifest's declaration is held back until an apply or a restart takes it
 * up.
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

/** The last rollout, if its switch could not be reverted. A later rollout that succeeds settles it. */
export const lostTraffic = (service: Facts): RolloutRecord | undefined => {
  const last = lastDecided(service);
  const error = last?.outcome === 'failed' ? last.error : undefined;
  return error?.code === 'ERR0116' && error.old === 'unknown' ? last : undefined;
};

/**
 * The failed rollout that a person must know of. It is settled once:
 * - the declaration is applied, or the manifest declares what runs,
 * - a later rollout has succeeded, or
 * - a person has rolled back.
 */
export const failedRollout = (service: Facts): RolloutRecord | undefined =>
  service.rejected === undefined || service.rolledBack !== undefined
    ? lostTraffic(service)
    : lastDecided(service);
