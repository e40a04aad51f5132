// Counts failed probes. A check has failed when `retries` probes in a row have failed and `total_timeout` is
// over. Then `on_failure` decides what happens to the run.
// Rules: `docs/behaviour.md`, "Health checks", "The check has failed", "What follows", "Liveness asks a ready
// service".
import type { ServiceError } from '../../domain/errors/error.ts';
import type { ProbeResult } from '../../domain/event.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { HEALTHY, UNPROBED } from '../../domain/service/service-state.ts';
import type { HealthProgress, ServiceState } from '../../domain/service/service.ts';
import type { Check } from '../../domain/declared/health-check.ts';
import { between, type Instant } from '../../domain/time.ts';
import { ready } from './readiness.ts';
import { STAY, type Change, type Situation } from '../service-input.ts';
import { stopping } from '../stop/stopping.ts';

type Failed = Exclude<ProbeResult, { tag: 'passed' }>;

const causeOf = ({ service, check, liveness }: Probed, result: Failed): ServiceError => {
  const of = { service, ...(liveness && { liveness }) };
  switch (result.tag) {
    case 'unreachable':
      return { code: 'ERR0022', ...of, detail: result.detail };
    case 'timed-out':
      return { code: 'ERR0023', ...of, limit: check.attemptTimeout };
    case 'unhealthy':
      return { code: 'ERR0104', ...of, detail: result.detail };
    case 'silent':
      return {
        code: 'ERR0024',
        ...of,
        limit: check.probe.tag === 'watchdog' ? check.probe.watchdog : check.interval,
      };
    case 'stranger':
      return { code: 'ERR0105', ...of, taken: result.taken };
  }
};

/**
 * True if this failed probe of a starting service is counted. Such a service is probed often, but at most one
 * failure in each `interval` is counted.
 */
const counts = (check: Check, since: Instant, at: Instant): boolean => between(since, at) >= check.interval;

interface Probed {
  readonly service: ServiceId;
  readonly check: Check;
  readonly result: ProbeResult;
  /**
   * The time when the run began; absent if the run is ready. Failed probes are counted only from one
   * `interval` after this time.
   */
  readonly startedAt?: Instant;
  readonly at: Instant;
  /** True for a result of `liveness`; absent for a result of another check. */
  readonly liveness?: true | undefined;
}

const failedOnce = (
  progress: HealthProgress,
  probed: Probed & { readonly result: Failed },
): HealthProgress => {
  const { check, result, startedAt, at } = probed;
  const counted = startedAt === undefined || counts(check, progress.lastCounted ?? startedAt, at);
  const failing = {
    health: 'unhealthy',
    failingSince: progress.failingSince ?? startedAt ?? at,
    error: causeOf(probed, result),
  } as const;
  return counted
    ? { ...failing, failures: progress.failures + 1, lastCounted: at }
    : { ...progress, ...failing };
};

/** Returns the health after one more probe result. */
export const probedOnce = (progress: HealthProgress, probed: Probed): HealthProgress => {
  const { result, at } = probed;
  if (result.tag !== 'passed') return failedOnce(progress, { ...probed, result });
  return progress.health === 'unhealthy' ? { ...HEALTHY, healthySince: at } : HEALTHY;
};

/** True if at least `retries` probes in a row failed, for at least `total_timeout`. */
export const isExhausted = (progress: HealthProgress, check: Check, at: Instant): boolean =>
  progress.failures >= Math.max(1, check.retries) &&
  progress.failingSince !== undefined &&
  between(progress.failingSince, at) >= check.totalTimeout;

/**
 * Returns the change after a failed probe. `to`: the state after this probe. If the whole check has now
 * failed, the run is stopped and counts as crashed. Exception: with `on_failure: ignore`, a ready run
 * continues.
 */
const failing = (
  cell: Situation<'starting' | 'up', 'probed'>,
  {
    check,
    health,
    to,
  }: { readonly check: Check; readonly health: HealthProgress; readonly to: ServiceState },
): Change => {
  const { state, context } = cell;
  const wasReady = state.tag === 'up';
  if (health.error === undefined || !isExhausted(health, check, context.at)) return { to };
  if (wasReady && check.onFailure === 'ignore') return { to };
  const final = wasReady && check.onFailure === 'stop' && ({ final: true } as const);
  return stopping(cell, { tag: 'unhealthy', wasReady, error: health.error, ...final });
};

type Running = 'starting' | 'up';

const progressOf = (
  cell: Situation<Running, 'probed'>,
  check: Check,
  progress: HealthProgress,
): HealthProgress => {
  const { service, state, input, context } = cell;
  return probedOnce(progress, {
    service: service.spec.id,
    check,
    result: input.result,
    at: context.at,
    ...(state.tag === 'starting' && { startedAt: state.since }),
    liveness: input.liveness,
  });
};

/** Records a result of the check `liveness`, which probes only a ready service. */
const probedAlive = (cell: Situation<Running, 'probed'>): Change => {
  const { service, state } = cell;
  const check = service.spec.deployment.healthCheck?.liveness;
  if (check === undefined || state.tag !== 'up') return STAY;
  const alive = { ...progressOf(cell, check, state.alive ?? UNPROBED), liveness: true } as const;
  const to = { ...state, alive };
  if (alive.health !== 'healthy') return failing(cell, { check, health: alive, to });
  return state.alive?.health === 'healthy' ? STAY : { to };
};

/** Records a probe result. The first passed probe of a starting service makes it ready. */
export const probed = (cell: Situation<Running, 'probed'>): Change => {
  const { service, state, context, input } = cell;
  if (input.liveness) return probedAlive(cell);
  const { healthCheck, blueGreen } = service.spec.deployment;
  // If a blue/green service has no `health_check`, `candidate_health_check` decides when a run is ready.
  const check = healthCheck ?? blueGreen?.candidateHealthCheck;
  if (check === undefined) return STAY;
  const health = progressOf(cell, check, state.health);
  if (health.health !== 'healthy') return failing(cell, { check, health, to: { ...state, health } });
  if (state.tag === 'starting') return ready(state, health, context.at);
  return state.health.health === 'healthy' ? STAY : { to: { ...state, health } };
};
