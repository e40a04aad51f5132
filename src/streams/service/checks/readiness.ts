// Readiness, and the inputs while a run is alive: the end of the stability window, time limits, its own exit.
// Probe results are in `health.ts`, and notifications in `run-notified.ts`.
// Rules: `docs/behaviour.md`, "Readiness"; `docs/behaviour.md`, "Starting", "Ready".
import type { HealthProgress, In } from '../../domain/service/service.ts';
import { isAwaited, type HealthCheck } from '../../domain/declared/health-check.ts';
import { lengthText, type Instant } from '../../domain/time.ts';
import { memoryError } from '../max-memory.ts';
import { RESET } from '../restart-policy.ts';
import { overtime } from '../scheduled/scheduled-runs.ts';
import { ending, stopping } from '../stop/stopping.ts';
import { STAY, type Change, type Situation } from '../service-input.ts';

type Running = 'starting' | 'up';

const overrun = (cell: Situation<Running, 'elapsed'>): Change => {
  const cause = overtime(cell.service);
  return cause === undefined ? STAY : stopping(cell, cause);
};

/** Makes a starting run ready. */
export const ready = (
  { readyBy: _, ...state }: In<'starting'>,
  health: HealthProgress,
  at: Instant,
): Change & { readonly to: In<'up'> } => ({
  to: { ...state, tag: 'up', readyAt: at, health },
  patch: { recovering: false },
});

const missingText = ({ probe, totalTimeout }: HealthCheck): string =>
  probe.tag === 'log'
    ? `no line of output matched ${probe.log} within ${lengthText(totalTimeout)}`
    : `it did not send READY=1 within ${lengthText(totalTimeout)}`;

/** Stops a run that did not become ready within its time limit. */
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

/**
 * Handles the timers of a starting run: makes the run ready after `startup_stability_ms`, or stops it at a
 * time limit.
 */
export const stable = (cell: Situation<'starting', 'elapsed'>): Change => {
  const { state, input, context } = cell;
  if (input.timer === 'stability') return ready(state, state.health, context.at);
  if (input.timer === 'ready-timeout') return unready(cell);
  return input.timer === 'cron-timeout' ? overrun(cell) : STAY;
};

/** Stops a run that was over `max_memory` for too long. The run counts as crashed. */
const outgrown = (cell: Situation<'up', 'elapsed'>): Change => {
  const error = memoryError(cell.service);
  return error === undefined ? STAY : stopping(cell, { tag: 'unhealthy', wasReady: true, error });
};

/**
 * Handles the timers of a ready run: resets the restart count after 60 s, or stops a run that exceeds a
 * limit.
 */
export const proved = (cell: Situation<'up', 'elapsed'>): Change => {
  if (cell.input.timer === 'proven') return RESET;
  if (cell.input.timer === 'memory') return outgrown(cell);
  return cell.input.timer === 'cron-timeout' ? overrun(cell) : STAY;
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
