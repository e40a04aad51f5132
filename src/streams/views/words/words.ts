// The public words for a service (`docs/states.md`, "What the states mean") as tables over its internal state. Internal
// tags are nobody's business: changing one never touches the other.
import type { ServiceError } from '../../domain/errors/error.ts';
import type { DownReason, Service, Tag } from '../../domain/service/service.ts';
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

/** It ended, and nobody saw how. */
const unseen = (error: ServiceError): boolean => 'status' in error && error.status.tag === 'unknown';

const downWord = (why: DownReason): StateWord =>
  why.tag === 'failed' && unseen(why.error) ? 'lost' : BY_REASON[why.tag];

/** The word for a state of the past, of which only the tags are remembered. */
export const pastWord = (tag: Tag, down?: DownReason['tag']): StateWord =>
  tag === 'down' ? BY_REASON[down ?? 'new'] : BY_TAG[tag];

/** As `sup status` says it: `down` by its reason, and what is up and about to stop is stopping already. */
export const stateWord = ({ actual, wanted }: Service): StateWord => {
  if (actual.tag === 'down') return downWord(actual.why);
  if (actual.tag === 'up' && wanted === 'down') return 'stopping';
  return BY_TAG[actual.tag];
};

/**
 * What its probes say of it; a service without a health check is never known to be healthy. A scheduled one is unhealthy
 * from a run that failed until the next that succeeds.
 */
export const healthWord = (service: Service): HealthWord => {
  const { actual } = service;
  if (failedRun(service) !== undefined) return 'unhealthy';
  if (actual.tag === 'starting' || actual.tag === 'up') return actual.health.health;
  return actual.tag === 'stopping' && actual.cause.tag === 'unhealthy' ? 'unhealthy' : 'unknown';
};
