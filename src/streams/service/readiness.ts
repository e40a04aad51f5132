// Readiness, and what happens while a service runs: stability window, probes, reset of the restart count, its
// own exit.
// Rules: `docs/behaviour.md`, "Readiness"; `docs/behaviour.md`, "Starting", "Ready"; `docs/behaviour.md`,
// "Health checks", "Liveness asks a ready service"; `docs/behaviour.md`, "Schedules", "cron.timeout".
import type { ServiceError } from '../domain/errors/error.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { HealthProgress, In, ServiceOrRun } from '../domain/service/service.ts';
import { isAwaited, isNotifying, type Check, type HealthCheck } from '../domain/declared/health-check.ts';
import { later, lengthText, plus, type Instant } from '../domain/time.ts';
import { notifiedAfter, notifiedEvents } from '../output/notify-message.ts';
import { HEALTHY, UNPROBED } from '../domain/service/service-state.ts';
import { failing, probedOnce } from './health.ts';
import { ending, stopping } from './stopping.ts';
import { STAY, type Change, type Situation } from './service-input.ts';

type Running = 'starting' | 'up';

const ready = (
  { readyBy: _, ...state }: In<'starting'>,
  health: HealthProgress,
  at: Instant,
): Change & { readonly to: In<'up'> } => ({
  to: { ...state, tag: 'up', readyAt: at, health },
  patch: { recovering: false },
});

const overrun = (service: Run, cell: Situation<Running, 'elapsed'>): Change => {
  const limit = service.spec.cron?.timeout;
  if (limit === undefined) return STAY;
  return stopping(cell, { tag: 'timeout', error: { code: 'ERR0114', service: service.spec.id, limit } });
};

const missingText = ({ probe, totalTimeout }: HealthCheck): string =>
  probe.tag === 'log'
    ? `no line of output matched ${probe.log} within ${lengthText(totalTimeout)}`
    : `it did not send READY=1 within ${lengthText(totalTimeout)}`;

/** Stops a service that did not show in time that it is ready. */
const unready = (cell: Situation<'starting', 'elapsed'>): Change => {
  const { id: service, deployment } = cell.service.spec;
  const check = deployment.healthCheck;
  if (check === undefined || !isAwaited(check)) return STAY;
  const detail = missingText(check);
  return stopping(cell, {
    tag: 'unhealthy',
    wasReady: false,
    error: { code: 'ERR0104', service, detail },
  });
};

/** Makes a starting service ready after `startup_stability_ms`, or stops a scheduled run at its `timeout`. */
export const stable = (cell: Situation<'starting', 'elapsed'>): Change => {
  const { service, state, input, context } = cell;
  if (input.timer === 'stability') return ready(state, state.health, context.at);
  if (input.timer === 'ready-timeout') return unready(cell);
  return input.timer === 'cron-timeout' ? overrun(service, cell) : STAY;
};

/** Returns the error of a run with more memory than `max_memory`; `undefined` for any other run. */
export const memoryError = ({ spec, actual }: Run): ServiceError | undefined => {
  const { id: service, maxMemory: limit, maxMemoryFor: length } = spec;
  const bytes = actual.tag === 'up' ? actual.overweight?.bytes : undefined;
  return bytes === undefined || limit === undefined || length === undefined
    ? undefined
    : { code: 'ERR0120', service, bytes, limit, length };
};

/**
 * True if a run over `max_memory` is no longer replaced: `max_restarts` attempts were made, and the last new
 * run failed. The run then continues, because without it the service would have no run at all.
 */
export const isReplacedInVain = ({ spec, attempts, rollouts }: ServiceOrRun): boolean =>
  attempts > 0 && attempts >= spec.maxRestarts && rollouts?.at(-1)?.outcome === 'failed';

/** Stops a run that was over `max_memory` for too long. The run counts as crashed. */
const outgrown = (cell: Situation<'up', 'elapsed'>): Change => {
  const error = memoryError(cell.service);
  return error === undefined ? STAY : stopping(cell, { tag: 'unhealthy', wasReady: true, error });
};

/** Records since when the memory of the run has been over `max_memory`. */
export const measured = ({ service, state, input, context }: Situation<'up', 'measured'>): Change => {
  const { overweight, ...rest } = state;
  const { bytes } = input;
  const isOver = bytes > (service.spec.maxMemory ?? Infinity);
  if (!isOver) return overweight === undefined ? STAY : { to: rest };
  return overweight?.bytes === bytes
    ? STAY
    : { to: { ...rest, overweight: { since: overweight?.since ?? context.at, bytes } } };
};

/** Resets the restart count after 60 s of readiness, or stops a run that is over a limit. */
export const proved = (cell: Situation<'up', 'elapsed'>): Change => {
  if (cell.input.timer === 'proven') return { patch: { attempts: 0 } };
  if (cell.input.timer === 'memory') return outgrown(cell);
  return cell.input.timer === 'cron-timeout' ? overrun(cell.service, cell) : STAY;
};

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
  // Without a health check, `candidate_health_check` decides when a blue/green run is ready.
  const check = healthCheck ?? blueGreen?.candidateHealthCheck;
  if (check === undefined) return STAY;
  const health = progressOf(cell, check, state.health);
  if (health.health !== 'healthy') return failing(cell, { check, health, to: { ...state, health } });
  if (state.tag === 'starting') return ready(state, health, context.at);
  return state.health.health === 'healthy' ? STAY : { to: { ...state, health } };
};

/** Records a notification (`sd_notify`) of the run. `READY=1` makes a starting run ready. */
export const notified = (cell: Situation<Running, 'notified'>): Change => {
  const { service, state, input, context } = cell;
  const { report } = input;
  const now = notifiedAfter(state.notified, report);
  const effects = notifiedEvents(service, state.run, [state.notified, now]);
  if (state.tag === 'up') return { to: { ...state, notified: now }, effects };
  if (report.ready && isNotifying(service.spec.deployment.healthCheck)) {
    const { to, ...change } = ready({ ...state, notified: now }, HEALTHY, context.at);
    return { ...change, to, effects };
  }
  const readyBy = report.extend && later(state.readyBy ?? context.at, plus(context.at, report.extend));
  return { to: { ...state, notified: now, ...(readyBy && { readyBy }) }, effects };
};

/** Records that the main process exited by itself, and stops the rest of its process tree. */
export const ended = (cell: Situation<Running, 'exited'>): Change => {
  const { service, state, input, context } = cell;
  const asked = service.wanted === 'down' && ({ asked: true } as const);
  return {
    to: { ...ending(cell, { tag: 'exited', wasReady: state.tag === 'up', ...asked }), exit: input.status },
    patch: { lastExit: { status: input.status, at: context.at } },
  };
};
