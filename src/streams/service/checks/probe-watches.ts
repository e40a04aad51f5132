// Decides which checks probe a run: `health_check` while the service starts, and `after_ready` and `liveness`
// when it is ready. The results of probes are in `health.ts`.
// Rules: `docs/behaviour.md`, "Health checks", "Liveness asks a ready service"; `docs/behaviour.md`, "Health
// checks", "A ready service is not probed".
import {
  isAwaited,
  isNotifying,
  watchdogOf,
  type Check,
  type HealthCheck,
} from '../../domain/declared/health-check.ts';
import { tcpAddress, urlPort, type CheckedPort } from '../../domain/service/port.ts';
import type { ProcessRef } from '../../domain/service/process.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { ProbeWatch, Watch } from '../../domain/watch.ts';
import { presentRun } from '../service-input.ts';

const portOf = (by: HealthCheck['probe']): CheckedPort | undefined => {
  if (by.tag === 'tcp') return tcpAddress(by.tcp);
  return by.tag === 'http' ? urlPort(by.url) : undefined;
};

/**
 * Returns the part of a probe watch that ends the pauses between probes early. If the check probes a port, a
 * pause ends when a socket begins to listen on this port.
 */
export const cutShort = ({ probe: by }: Check): Pick<ProbeWatch, 'whenListening'> => {
  const place = portOf(by);
  return place === undefined ? {} : { whenListening: place };
};

/** Returns the watch that probes a run by its `health_check`. A ready run may not be probed any more. */
export const probeWatches = (
  service: Run,
  process: ProcessRef,
  pace: 'starting' | 'steady',
): readonly Watch[] => {
  const { spec } = service;
  const check = spec.deployment.healthCheck;
  if (check === undefined || isNotifying(check) || (pace === 'steady' && isSettled(check))) return [];
  // The key contains the digest, so that a new declaration, perhaps with another check, opens a new watch.
  const key = `probe:${spec.id}#${service.runs}:${pace}:${spec.digest}`;
  const of = { key, service: spec.id, run: presentRun(service), process, spec, check };
  const fifoPair = check.probe.tag === 'log' && { fifoPair: service.lane ?? 0 };
  return [{ type: 'probe', ...of, pace, ...(pace === 'starting' && cutShort(check)), ...fifoPair }];
};

/** True if the health check does not probe a ready service. */
const isSettled = (check: HealthCheck): boolean =>
  check.afterReady === 'off' ||
  isAwaited(check) ||
  (check.liveness !== undefined && check.afterReady === undefined);

/** Returns the watch of a ready run for the check `liveness`. */
export const livenessWatches = (service: Run, process: ProcessRef): readonly Watch[] => {
  const { spec } = service;
  const check = spec.deployment.healthCheck?.liveness;
  if (check === undefined) return [];
  const key = `alive:${spec.id}#${service.runs}:${spec.digest}`;
  const limit = watchdogOf(spec.deployment.healthCheck);
  if (limit !== undefined)
    return [{ type: 'watchdog', key, service: spec.id, run: presentRun(service), limit }];
  const of = { key, service: spec.id, run: presentRun(service), process, spec, check };
  return [{ type: 'probe', ...of, pace: 'steady', liveness: true }];
};
