// Maps the internal states of a service to its public states (`docs/states.md`, "What the states mean").
// Public states do not change when an internal state is renamed.
import type { ServiceError } from '../../domain/errors/error.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { DownReason, Tag } from '../../domain/service/service-state.ts';
import { failedRun } from '../../service/schedule.ts';
import type { HealthWord, StateWord } from '../../wire/documents/documents.ts';

const BY_TAG: Readonly<Record<Exclude<Tag, 'down'>, StateWord>> = {
  scheduled: 'scheduled',
  waiting: 'waiting',
  preparing: 'starting',
  spawning: 'starting',
  starting: 'starting',
  up: 'running',
  stopping: 'stopping',
  'backing-off': 'backoff',
  broken: 'breaker-open',
  casualty: 'casualty',
};

const BY_REASON: Readonly<Record<DownReason['tag'], StateWord>> = {
  new: 'stopped',
  asked: 'stopped',
  ended: 'stopped',
  completed: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

/** True if the error is the exit of a process with unknown status. */
const unseen = (error: ServiceError): boolean => 'status' in error && error.status.tag === 'unknown';

const downWord = (why: DownReason): StateWord =>
  why.tag === 'failed' && unseen(why.error) ? 'lost' : BY_REASON[why.tag];

/**
 * Returns the public state for a recorded state, which has only the internal tag and, for `down`, the reason.
 */
export const pastWord = (tag: Tag, down?: DownReason['tag']): StateWord =>
  tag === 'down' ? BY_REASON[down ?? 'new'] : BY_TAG[tag];

/**
 * Returns the public state, which `sup status` shows. For `down` it depends on the reason. A service that is
 * up although it should be down is `stopping`.
 */
export const stateWord = ({ actual, wanted }: Pick<Run, 'actual' | 'wanted'>): StateWord => {
  if (actual.tag === 'down') return downWord(actual.why);
  if (actual.tag === 'up' && wanted === 'down') return 'stopping';
  return BY_TAG[actual.tag];
};

/**
 * Returns the health from the probes of the run; `unknown` without a health check. A scheduled service is
 * `unhealthy` from a failed run until the next success.
 */
export const healthWord = (run: Run): HealthWord => {
  const { actual } = run;
  if (failedRun(run) !== undefined) return 'unhealthy';
  if (actual.tag === 'starting' || actual.tag === 'up') return actual.health.health;
  return actual.tag === 'stopping' && actual.cause.tag === 'unhealthy' ? 'unhealthy' : 'unknown';
};
