// The restart policy, the backoff between attempts and the breaker
// (`docs/behaviour.md`, "Restarting", "Breaker"; ERR0110).
import type { ServiceError } from '../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { LastFailure, Run } from '../domain/service/service-run.ts';
import type { ServiceState } from '../domain/service/service-state.ts';
import type { Backoff } from '../domain/declared/spec.ts';
import { ms, plus, seconds, type Instant, type Ms } from '../domain/time.ts';
import { betweenRuns } from './state-without-run.ts';
import type { Change } from './service-input.ts';

/** After this long up without interruption, the count of automatic starts is cleared. */
export const PROVEN_AFTER: Ms = seconds(60);

/** Varies delays without a random source: the same service and attempt always give the same share of -1…1. */
const spread = (seed: string): number => {
  let hash = 0;
  for (let i = 0; i < seed.length; i += 1) hash = (Math.imul(hash, 31) + seed.charCodeAt(i)) | 0;
  return ((mixed(hash) % 2001) - 1000) / 1000;
};

/**
 * The finalizer of MurmurHash3: every output bit depends on every input bit, so successive attempts spread
 * widely.
 */
const mixed = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};

/**
 * The delay before automatic start number `attempt`, counted from 1. Jitter above `max` is mirrored below it.
 */
export const delayBefore = (attempt: number, backoff: Backoff, seed: string): Ms => {
  // 0 stays 0: after many attempts the product would be NaN.
  if (backoff.initial === 0) return ms(0);
  const grown = Math.min(backoff.initial * backoff.factor ** (attempt - 1), backoff.max);
  const varied = Math.max(0, Math.round(grown * (1 + backoff.jitter * spread(`${seed}#${attempt}`))));
  return ms(varied <= backoff.max ? varied : 2 * backoff.max - varied);
};

/** True if the policy restarts a service that exited like this. */
export const policyRestarts = (policy: Run['spec']['restartPolicy'], status: ExitStatus): boolean =>
  policy === 'always' || (policy === 'on-failure' && !isSuccess(status));

const open = (service: Run, last: ServiceError): ServiceState => ({
  tag: 'broken',
  error: { code: 'ERR0110', service: service.spec.id, attempts: service.attempts, last },
});

/** Schedules an automatic start, or opens the breaker if the budget is spent. */
export const restartAfter = (service: Run, error: ServiceError, at: Instant): Change => {
  const { spec, attempts } = service;
  if (attempts >= spec.maxRestarts) return { to: open(service, error), patch: { recovering: false } };
  const attempt = attempts + 1;
  return {
    to: { tag: 'backing-off', attempt, until: plus(at, delayBefore(attempt, spec.backoff, spec.id)), error },
    patch: { attempts: attempt, recovering: true },
  };
};

/** True if waiting cannot help: another attempt would fail the same way. */
const isFinal = (error: ServiceError): boolean => 'final' in error;

const byPolicy = (service: Run, { error, at }: LastFailure): Change => {
  if (service.spec.kind === 'cron') return betweenRuns();
  if (service.spec.restartPolicy === 'never' || isFinal(error))
    return { to: { tag: 'down', why: { tag: 'failed', error } }, patch: { recovering: false } };
  return restartAfter(service, error, at);
};

/**
 * A start or run failed: applies the restart policy. A scheduled service just waits for its next boundary.
 */
export const afterFailure = (service: Run, failure: LastFailure): Change => {
  const move = byPolicy(service, failure);
  return { ...move, patch: { ...move.patch, lastFailure: failure } };
};
