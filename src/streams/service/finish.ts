// A run is over: nobody of its tree is left and its exit is known. What the service becomes now.
import type { Evidence, ServiceError } from '../domain/error.ts';
import { isSuccess } from '../domain/exit.ts';
import type { In, Service, ServiceState, StopCause } from '../domain/service.ts';
import type { Instant } from '../domain/time.ts';
import { afterFailure, policyRestarts, restartAfter } from './restart.ts';
import { ended } from './schedule.ts';
import { wait } from './beginning.ts';
import { saysInUse } from './in-use.ts';
import type { Context, Move } from './input.ts';

interface Finished {
  readonly service: Service;
  readonly state: In<'stopping'>;
  readonly context: Context;
}

type Facts = Pick<In<'stopping'>, 'taken'> & { readonly evidence: Evidence };

const factsOf = ({ taken, evidence = [] }: In<'stopping'>): Facts => ({
  evidence,
  ...(taken !== undefined && { taken }),
});

/** The error of an exit that was not asked for. */
const exitError = (
  { spec: { id: service } }: Service,
  { state, wasReady }: { state: In<'stopping'>; wasReady: boolean },
): ServiceError => {
  const facts = factsOf(state);
  const status = state.exit ?? { tag: 'unknown' };
  if (facts.taken !== undefined || saysInUse(facts.evidence))
    return { code: 'ERR0105', service, status, ...facts };
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service, status, evidence: facts.evidence };
};

/** The error for which a run was brought to its end, with what it printed: the address may have been the cause. */
const stopError = (error: ServiceError, state: In<'stopping'>): ServiceError => {
  const facts = factsOf(state);
  if (facts.evidence.length === 0) return error;
  if (error.code === 'ERR0105') return { ...error, evidence: facts.evidence };
  if (saysInUse(facts.evidence)) return { code: 'ERR0105', service: error.service, ...facts };
  return { ...error, evidence: facts.evidence };
};

/** A program that puts itself into the background, unless it is a job that is over all the same. */
const wentAway = ({ service, state, context }: Finished, wasReady: boolean): ServiceError | undefined => {
  const { id, restartPolicy } = service.spec;
  if (state.daemon === undefined || wasReady || restartPolicy === 'never' || context.awaitedCompletion)
    return undefined;
  return { code: 'ERR0118', service: id, daemon: state.daemon, evidence: state.evidence ?? [] };
};

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** It ended by itself. */
const afterExit = ({ service, state, context }: Finished, wasReady: boolean): Move => {
  const status = state.exit ?? { tag: 'unknown' };
  if (!isSuccess(status)) return afterFailure(service, exitError(service, { state, wasReady }), context.at);
  const away = wentAway({ service, state, context }, wasReady);
  if (away !== undefined) return afterFailure(service, away, context.at);
  if (policyRestarts(service.spec.restartPolicy, status))
    return restartAfter(service, { code: 'ERR0101', service: service.spec.id, status }, context.at);
  const completed = !wasReady || context.awaitedCompletion;
  return {
    to: { tag: 'down', why: { tag: completed ? 'completed' : 'ended' } },
    patch: { recovering: false },
  };
};

const byCause = (finished: Finished, cause: StopCause): Move => {
  switch (cause.tag) {
    case 'asked':
    case 'restart':
      return wait({ recovering: false });
    case 'felled':
      return { to: { tag: 'casualty', of: cause.of }, patch: { recovering: false } };
    case 'exited':
      return afterExit(finished, cause.wasReady);
    case 'unhealthy':
    case 'timeout':
      return afterFailure(finished.service, stopError(cause.error, finished.state), finished.context.at);
  }
};

/** It was asked for by name once more while it ran or ended. */
const runsAgain = ({ service, state }: Finished): boolean =>
  service.insisted && (state.again === true || state.cause.tag === 'restart');

/** A scheduled run is over: it goes into the history, and the service waits for its next boundary. */
const cronOver = (finished: Finished, at: Instant): Move => {
  const { service, state } = finished;
  const exit = state.exit && { exit: state.exit };
  const schedule = ended(service.schedule, { at, cause: state.cause, ...exit });
  if (service.wanted === 'down') return { to: ASKED, patch: { insisted: false, schedule } };
  if (runsAgain(finished)) return wait({ schedule });
  return { to: { tag: 'scheduled' }, patch: { insisted: false, schedule } };
};

/** The next state of a service whose run is verified to be over. */
export const finish = (finished: Finished): Move => {
  const { service, state, context } = finished;
  if (service.spec.kind === 'cron') return cronOver(finished, context.at);
  if (service.wanted === 'down') return { to: ASKED, patch: { recovering: false } };
  return state.again ? wait({ recovering: false }) : byCause(finished, state.cause);
};
