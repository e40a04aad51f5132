// A rollout that failed and is not made good: its declaration is not taken up, or nobody knows where the traffic goes.
import type { RolloutRecord } from '../domain/service/rollout.ts';
import type { Service } from '../domain/service/service.ts';

type Facts = Pick<Service, 'rejected' | 'rolledBack' | 'rollouts'>;

const lastDecided = ({ rollouts }: Facts): RolloutRecord | undefined =>
  rollouts?.findLast(({ outcome }) => outcome !== 'called-off');

/** The rollout after which the switch could not be taken back; another one that succeeds makes it good. */
export const lostTraffic = (service: Facts): RolloutRecord | undefined => {
  const last = lastDecided(service);
  const error = last?.outcome === 'failed' ? last.error : undefined;
  return error?.code === 'ERR0116' && error.old === 'unknown' ? last : undefined;
};

/**
 * The failed rollout that a person has to know of. It is over once the declaration is applied, once the manifest says what
 * runs again, once a later rollout has succeeded, or once a person has rolled back.
 */
export const failedRollout = (service: Facts): RolloutRecord | undefined =>
  service.rejected === undefined || service.rolledBack !== undefined
    ? lostTraffic(service)
    : lastDecided(service);
