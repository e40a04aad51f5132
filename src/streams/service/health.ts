// Counts failed probes, and keeps what a run reports about itself. A check fails when `retries` failures in a
// row and `total_timeout` are both spent.
// Rules: `docs/behaviour.md`, "Health checks", "The check has failed".
import type { Effect } from '../domain/effect.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { ProbeResult } from '../domain/event.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { HealthProgress } from '../domain/service/service.ts';
import type { SelfReport, Notified } from '../domain/service/service-state.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Check } from '../domain/declared/health-check.ts';
import { between, type Instant } from '../domain/time.ts';

export const UNPROBED: HealthProgress = { health: 'unknown', failures: 0 };
export const HEALTHY: HealthProgress = { health: 'healthy', failures: 0 };

type Failed = Exclude<ProbeResult, { tag: 'passed' }>;

const causeOf = (service: ServiceId, check: Check, result: Failed): ServiceError => {
  switch (result.tag) {
    case 'unreachable':
      return { code: 'ERR0022', service, detail: result.detail };
    case 'timed-out':
      return { code: 'ERR0023', service, limit: check.attemptTimeout };
    case 'unhealthy':
      return { code: 'ERR0104', service, detail: result.detail };
    case 'silent':
      return {
        code: 'ERR0024',
        service,
        limit: check.probe.tag === 'watchdog' ? check.probe.watchdog : check.interval,
      };
    case 'stranger':
      return { code: 'ERR0105', service, taken: result.taken };
  }
};

/** True if this failed probe counts: a starting service is probed more often than once per `interval`. */
const counts = (check: Check, since: Instant, at: Instant): boolean => between(since, at) >= check.interval;

interface Probed {
  readonly service: ServiceId;
  readonly check: Check;
  readonly result: ProbeResult;
  /** When a starting run began; its first failure counts only one `interval` later. */
  readonly startedAt?: Instant;
  readonly at: Instant;
}

const failedOnce = (
  progress: HealthProgress,
  probed: Probed & { readonly result: Failed },
): HealthProgress => {
  const { service, check, result, startedAt, at } = probed;
  const counted = startedAt === undefined || counts(check, progress.lastCounted ?? startedAt, at);
  const failing = {
    health: 'unhealthy',
    failingSince: progress.failingSince ?? startedAt ?? at,
    error: causeOf(service, check, result),
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

/** Returns what a run has reported about itself after one more report. `READY=1` ends a reload. */
export const notifiedAfter = (
  known: Notified = {},
  { ready: isReady, extend: _, ...said }: SelfReport,
): Notified => {
  const { reloading, ...settled } = known;
  const { status, ...all } = { ...settled, ...(reloading && !isReady && { reloading }), ...said };
  return status === undefined || status === '' ? all : { ...all, status };
};

const TEXTS = { reloading: 'reloading (RELOADING=1)', stopping: 'stopping (STOPPING=1)' } as const;

/** Returns the events for what a run reports now and did not report before. */
export const notifiedEvents = (
  { spec: { id: service } }: Run,
  run: RunId,
  [before = {}, after]: readonly [Notified | undefined, Notified],
): readonly Effect[] =>
  (['reloading', 'stopping'] as const)
    .filter((key) => after[key] === true && before[key] !== true)
    .map((key) => ({
      type: 'report',
      ...{ service, run, missed: 0 },
      report: { text: TEXTS[key], level: 'info', data: {} },
    }));
