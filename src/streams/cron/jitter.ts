// With `cron.jitter`, each run begins later than its scheduled time: by a delay that is always the same for
// the same service and the same time.
// Rules: `docs/behaviour.md`, "Schedules", "With jitter".
import type { Run, Schedule } from '../domain/service/service-run.ts';
import { hashOf } from '../domain/hash.ts';
import { between, type Instant, ms, type Ms, plus } from '../domain/time.ts';

/**
 * Returns the delay of a run after its scheduled time `due`. The delay ends before `next`, the scheduled time
 * after `due`.
 */
export const delayOf = ({ id, cron }: Run['spec'], due: Instant, next: Instant | undefined): Ms => {
  if (cron?.jitter === undefined) return ms(0);
  const most = next === undefined ? cron.jitter : Math.min(cron.jitter, between(due, next) - 1);
  return ms(hashOf(`${id}@${due}`) % (most + 1));
};

/** True if the scheduled time `due` has come, and the delay of its run is not over. */
export const isDelayed = ({ due, delay = ms(0) }: Schedule, at: Instant): boolean =>
  due !== undefined && due <= at && at < plus(due, delay);
