// Readiness and what a running service goes through: the stability window, probes, proof, its own exit
// (`spec/gaps` §3 "Ready", "Health after readiness", "Breaker").
import type { HealthProgress, In, Service } from '../domain/service.ts';
import type { Instant } from '../domain/time.ts';
import { isExhausted, probedOnce } from './health.ts';
import { stopping } from './stopping.ts';
import { STAY, type Move, type Situation } from './input.ts';

type Running = 'starting' | 'up';

const ready = (state: In<'starting'>, health: HealthProgress, at: Instant): Move => ({
  to: { ...state, tag: 'up', readyAt: at, health },
  patch: { recovering: false },
});

const overrun = (service: Service, cell: Situation<Running, 'elapsed'>): Move => {
  const limit = service.spec.cron?.timeout;
  if (limit === undefined) return STAY;
  return stopping(cell, { tag: 'timeout', error: { code: 'ERR0114', service: service.spec.id, limit } });
};

/** Alive for `startup_stability_ms`: without a health check, that is ready. */
export const settled = (cell: Situation<'starting', 'elapsed'>): Move => {
  const { service, state, input, context } = cell;
  if (input.timer === 'stability') return ready(state, state.health, context.at);
  return input.timer === 'cron-timeout' ? overrun(service, cell) : STAY;
};

export const proved = (cell: Situation<'up', 'elapsed'>): Move => {
  if (cell.input.timer === 'proven') return { patch: { attempts: 0 } };
  return cell.input.timer === 'cron-timeout' ? overrun(cell.service, cell) : STAY;
};

/** A probe of a service that is not ready yet: the first pass makes it so, exhaustion ends the attempt. */
export const probedEarly = (cell: Situation<'starting', 'probed'>): Move => {
  const { service, state, input, context } = cell;
  const check = service.spec.deployment.healthCheck;
  if (check === undefined) return STAY;
  const health = probedOnce(state.health, {
    service: service.spec.id,
    check,
    result: input.result,
    startedAt: state.since,
    at: context.at,
  });
  if (health.health === 'healthy') return ready(state, health, context.at);
  if (isExhausted(health, check, context.at) && health.error !== undefined)
    return stopping(cell, { tag: 'unhealthy', wasReady: false, error: health.error });
  return { to: { ...state, health } };
};

/** A probe of a service that was ready: exhaustion stops it as a crash would. */
export const probedLater = (cell: Situation<'up', 'probed'>): Move => {
  const { service, state, input, context } = cell;
  const check = service.spec.deployment.healthCheck;
  if (check === undefined) return STAY;
  const health = probedOnce(state.health, {
    service: service.spec.id,
    check,
    result: input.result,
    at: context.at,
  });
  if (health.health === 'healthy' && state.health.health === 'healthy') return STAY;
  if (isExhausted(health, check, context.at) && health.error !== undefined)
    return stopping(cell, { tag: 'unhealthy', wasReady: true, error: health.error });
  return { to: { ...state, health } };
};

/** The leader ended by itself: what is left of its tree goes with it. */
export const ended = (cell: Situation<Running, 'exited'>): Move => {
  const { state, input, context } = cell;
  return {
    to: {
      tag: 'stopping',
      run: state.run,
      process: state.process,
      since: context.at,
      phaseSince: context.at,
      cause: { tag: 'exited', wasReady: state.tag === 'up' },
      phase: 'asking',
      exit: input.status,
      asked: [],
    },
    patch: { lastExit: { status: input.status, at: context.at } },
  };
};
