// The restart policy, the backoff between attempts and the breaker
// (`docs/behaviour.md`, "Restarting", "Breaker"; ERR0110).
// Rules: `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Restarting", "Refused for good".
import type { ServiceError } from '../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit-status.ts';
import type { LastFailure, Run } from '../domain/service/service-run.ts';
import { shownHealth, type In, type ServiceState } from '../domain/service/service-state.ts';
import type { Backoff } from '../domain/declared/spec.ts';
import { hashOf } from '../domain/hash.ts';
import { instant, ms, plus, seconds, type Instant, type Ms } from '../domain/time.ts';
import { betweenRuns } from './scheduled/scheduled-runs.ts';
import { STAY, type Change, type Situation } from './service-input.ts';
import { wait } from './wait-to-start.ts';

/** The time that a service must be ready without interruption before its restart count is reset. */
const PROVEN_AFTER: Ms = seconds(60);

/**
 * Returns a number from -1 to 1 for the jitter. It depends only on the seed, so that a new supervisor
 * computes the same delay.
 */
const spread = (seed: string): number => ((hashOf(seed) % 2001) - 1000) / 1000;

/**
 * Returns the delay before the automatic start number `attempt` (from 1). Jitter never makes it longer than
 * `backoff.max`.
 */
export const delayBefore = (attempt: number, backoff: Backoff, seed: string): Ms => {
  // After many attempts, `factor ** attempt` is infinite, and 0 times infinity is NaN.
  if (backoff.initial === 0) return ms(0);
  const grown = Math.min(backoff.initial * backoff.factor ** (attempt - 1), backoff.max);
  const varied = Math.max(0, Math.round(grown * (1 + backoff.jitter * spread(`${seed}#${attempt}`))));
  return ms(varied <= backoff.max ? varied : 2 * backoff.max - varied);
};

/** True if the restart policy starts a service again after this exit status. */
export const policyRestarts = (policy: Run['spec']['restartPolicy'], status: ExitStatus): boolean =>
  policy === 'always' || (policy === 'on-failure' && !isSuccess(status));

const open = (service: Run, last: ServiceError): ServiceState => ({
  tag: 'broken',
  error: { code: 'ERR0110', service: service.spec.id, attempts: service.attempts, last },
});

/** Schedules the next automatic start, or opens the breaker if `max_restarts` are used up. */
const restartAfter = (service: Run, error: ServiceError, at: Instant): Change => {
  const { spec, attempts } = service;
  if (attempts >= spec.maxRestarts) return { to: open(service, error), patch: { recovering: false } };
  const attempt = attempts + 1;
  return {
    to: { tag: 'backing-off', attempt, until: plus(at, delayBefore(attempt, spec.backoff, spec.id)), error },
    patch: { attempts: attempt, recovering: true },
  };
};

/**
 * Restarts a service after a clean exit, by its policy. This restart counts for `max_restarts`, but is not
 * shown as a recovery from a failure.
 */
export const restartAfterCleanExit = (service: Run, status: ExitStatus, at: Instant): Change => {
  const move = restartAfter(service, { code: 'ERR0101', service: service.spec.id, status }, at);
  return { ...move, patch: { ...move.patch, recovering: false } };
};

/** True if another attempt would fail in the same way. */
const isFinal = (error: ServiceError): boolean => 'final' in error;

const byPolicy = (service: Run, { error, at }: LastFailure): Change => {
  if (service.spec.kind === 'cron') return betweenRuns(service);
  if (service.spec.restartPolicy === 'never' || isFinal(error))
    return { to: { tag: 'down', why: { tag: 'failed', error } }, patch: { recovering: false } };
  return restartAfter(service, error, at);
};

/**
 * Returns the change after a failure, by the restart policy. A scheduled service waits for its next scheduled
 * time.
 */
export const afterFailure = (service: Run, failure: LastFailure): Change => {
  const move = byPolicy(service, failure);
  return { ...move, patch: { ...move.patch, lastFailure: failure } };
};

/** Moves the service from backoff to `waiting`, and counts the automatic start. */
export const dueAgain = ({ service, input }: Situation<'backing-off', 'elapsed'>): Change =>
  input.timer === 'backoff' ? wait(service, { restartsTotal: (service.restartsTotal ?? 0) + 1 }) : STAY;

/**
 * Returns when the restart count is reset: after 60 s of readiness. There is no such time in two cases:
 * - The check fails: with a long `total_timeout`, a check that always fails would reset the count.
 * - The memory is over `max_memory`: the count of the restarts for this reason would never grow.
 */
export const provenAt = (service: Run, state: In<'up'>): Instant | undefined => {
  const { readyAt, health, alive, overweight } = state;
  if (service.attempts === 0 || overweight !== undefined || shownHealth(state).health === 'unhealthy')
    return undefined;
  const since = Math.max(health.healthySince ?? readyAt, alive?.healthySince ?? readyAt);
  return plus(instant(since), PROVEN_AFTER);
};

/** Resets the restart count of a service that was ready for long enough. */
export const RESET: Change = { patch: { attempts: 0 } };
