// Converts internal states to public states (`docs/states.md`, "What the states mean"). The names of public
// states never change.
// Rules: `docs/behaviour.md`, "Restarting".
import type { ServiceError } from '../../domain/errors/error.ts';
import type { Run } from '../../domain/service/service-run.ts';
import { shownHealth, type DownReason, type Tag } from '../../domain/service/service-state.ts';
import { failedRun } from '../../domain/service/schedule.ts';
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

const unseen = (error: ServiceError): boolean => 'status' in error && error.status.tag === 'unknown';

const downWord = (why: DownReason): StateWord =>
  why.tag === 'failed' && unseen(why.error) ? 'lost' : BY_REASON[why.tag];

/**
 * Returns the public state for a recorded state. `tag`: the internal state. `down`: the reason, if the state
 * is `down`.
 */
export const pastWord = (tag: Tag, down?: DownReason['tag']): StateWord =>
  tag === 'down' ? BY_REASON[down ?? 'new'] : BY_TAG[tag];

/** Returns the public state, as in `sup status`. A service that is up but should be down is `stopping`. */
export const stateWord = ({ actual, wanted }: Pick<Run, 'actual' | 'wanted'>): StateWord => {
  if (actual.tag === 'down') return downWord(actual.why);
  if (actual.tag === 'up' && wanted === 'down') return 'stopping';
  return BY_TAG[actual.tag];
};

/**
 * Returns the health by the last probes. After a failed run, a scheduled service is `unhealthy` until a run
 * succeeds.
 */
export const healthWord = (run: Run): HealthWord => {
  const { actual } = run;
  if (failedRun(run) !== undefined) return 'unhealthy';
  if (actual.tag === 'starting' || actual.tag === 'up') return shownHealth(actual).health;
  return actual.tag === 'stopping' && actual.cause.tag === 'unhealthy' ? 'unhealthy' : 'unknown';
};
