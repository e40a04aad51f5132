// Restarts a service whose memory was over `max_memory` for `max_memory_for` (ERR0120), by its strategy. This
// counts as an automatic restart: if `max_restarts` are used up, the run is stopped and the breaker opens.
// Rules: `docs/behaviour.md`, "Restarting".
import type { ServiceError } from '../../domain/errors/error.ts';
import type { ServiceNews } from '../../domain/event.ts';
import type { Incident } from '../../domain/service/history-facts.ts';
import type { Service } from '../../domain/service/service.ts';
import { KEPT_INCIDENTS } from '../../service/state-history.ts';
import { isReplacedInVain, memoryError } from '../../service/max-memory.ts';
import { presentRun } from '../../service/service-input.ts';
import { find, put, type Draft } from '../draft.ts';
import { sendTo } from '../send.ts';
import { bring, isRolled } from './begin-rollout.ts';

/**
 * Returns a copy of the service in which the error is its last failure and an incident, and one more restart
 * is counted. The time over `max_memory` begins again.
 */
const failing = (draft: Draft, service: Service, error: ServiceError): Service => {
  const { at } = draft;
  const { actual, incidents = [], attempts } = service;
  if (actual.tag !== 'up') return service;
  const { overweight, ...state } = actual;
  const incident: Incident = { at, during: 'up', cause: 'elapsed', facts: { error } };
  return {
    ...service,
    actual: { ...state, ...(overweight && { overweight: { ...overweight, since: at } }) },
    attempts: attempts + 1,
    lastFailure: { at, error },
    incidents: [...incidents, incident].slice(-KEPT_INCIDENTS),
  };
};

/** Returns a copy of the service in which the candidate of the rollout counts this automatic restart. */
const countedBy = (service: Service, attempts: number): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, attempts, restartsTotal: 1 } } };
};

/** Restarts a service that is over its memory limit. Nothing happens during a rollout. */
export const outgrown = (
  draft: Draft,
  service: Service,
  news: Extract<ServiceNews, { type: 'elapsed' }>,
): void => {
  const error = memoryError(service);
  if (error === undefined || service.rollout !== undefined || news.run !== presentRun(service)) return;
  if (isReplacedInVain(service)) return;
  const { id } = service.spec;
  if (service.attempts >= service.spec.maxRestarts || !isRolled(draft, service))
    return sendTo(draft, { service: id, which: 'current' }, news);
  const after = failing(draft, service, error);
  put(draft, after);
  draft.moves.push({ before: service, after, input: news });
  draft.effects.push({ type: 'note', level: 'warn', service: id, facts: { tag: 'command-failed', error } });
  bring(draft, id, { insisted: service.insisted });
  const begun = find(draft, id);
  if (begun !== undefined) put(draft, countedBy(begun, after.attempts));
};
