// A failed rollout that is still a problem: its declaration is not used, or its traffic may be anywhere.
import type { RolloutRecord } from '../domain/service/rollout.ts';
import type { Service } from '../domain/service/service.ts';

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
