// Decides the next state after a run is over: its process tree is gone and its exit is known.
// Rules: `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Restarting"; `docs/behaviour.md`,
// "Schedules", "A run that fails"; `docs/behaviour.md`, "Readiness"; `docs/behaviour.md`, "Breaker".
import type { Evidence, ServiceError } from '../domain/errors/error.ts';
import { isSuccess } from '../domain/service/exit-status.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { DownReason, In, LastFailure, ServiceState, StopCause } from '../domain/service/service.ts';
import { afterFailure, policyRestarts, restartAfterCleanExit } from './restart-policy.ts';
import { afterCleanExit, staysDone, wentAway, type Finished } from './one-shots.ts';
import { afterScheduledRun, withoutRun } from './scheduled/scheduled-runs.ts';
import { saysInUse } from '../output/address-in-use.ts';
import type { Change } from './service-input.ts';

type Facts = Pick<In<'stopping'>, 'taken'> & { readonly evidence: Evidence };

const factsOf = ({ taken, evidence = [] }: In<'stopping'>): Facts => ({
  evidence,
  ...(taken !== undefined && { taken }),
});

/** Returns the error of a run if its main process exited by itself. */
const exitError = ({ service: { spec }, state }: Finished, wasReady: boolean): ServiceError => {
  const service = spec.id;
  const facts = factsOf(state);
  const status = state.exit ?? { tag: 'unknown' };
  if (facts.taken !== undefined || saysInUse(facts.evidence))
    return { code: 'ERR0105', service, status, ...facts };
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service, status, evidence: facts.evidence };
};

/**
 * Returns the error because of which the supervisor stopped the run. If the output of the run says that an
 * address was in use, the result is ERR0105.
 */
const stopError = (error: ServiceError, state: In<'stopping'>): ServiceError => {
  const facts = factsOf(state);
  if (facts.evidence.length === 0) return error;
  if (error.code === 'ERR0105') return { ...error, evidence: facts.evidence };
  if (saysInUse(facts.evidence)) return { code: 'ERR0105', service: error.service, ...facts };
  return { ...error, evidence: facts.evidence };
};

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const endOf = ({ service: { lastExit }, state: { exit } }: Finished): Partial<LastFailure> => ({
  ...(exit && { exit }),
  ...(exit && lastExit && { exitedAt: lastExit.at }),
});

const failureOf = (finished: Finished, error: ServiceError): LastFailure => ({
  at: finished.context.at,
  error,
  ...endOf(finished),
});

/** Returns the error of a failed exit, or of an exit with 0 that left a process in the background. */
const errorOfExit = (finished: Finished, wasReady: boolean): ServiceError | undefined =>
  isSuccess(finished.state.exit ?? { tag: 'unknown' })
    ? wentAway(finished, wasReady)
    : exitError(finished, wasReady);

/** Returns the next state after the main process exited by itself and its process tree is gone. */
const afterExit = ({ service, state, context }: Finished, wasReady: boolean): Change => {
  const status = state.exit ?? { tag: 'unknown' };
  const error = errorOfExit({ service, state, context }, wasReady);
  if (error !== undefined) {
    const failure = failureOf({ service, state, context }, error);
    return afterFailure(service, { ...failure, exit: status });
  }
  return policyRestarts(service.spec.restartPolicy, status)
    ? restartAfterCleanExit(service, status, context.at)
    : afterCleanExit({ service, state, context }, wasReady);
};

/** Returns the next state after the supervisor stopped the run because of a failure. */
const afterStop = (
  finished: Finished,
  cause: Extract<StopCause, { readonly error: ServiceError }>,
): Change => {
  const failure = failureOf(finished, stopError(cause.error, finished.state));
  if (!('final' in cause)) return afterFailure(finished.service, failure);
  const why: DownReason = { tag: 'failed', error: failure.error };
  return { to: { tag: 'down', why }, patch: { recovering: false, lastFailure: failure } };
};

const byCause = (finished: Finished, cause: StopCause): Change => {
  const { service, context } = finished;
  switch (cause.tag) {
    case 'asked':
    case 'restart':
      return withoutRun(service, context.at, { recovering: false });
    case 'felled':
      return { to: { tag: 'casualty', of: cause.of }, patch: { recovering: false } };
    case 'exited':
      return afterExit(finished, cause.wasReady);
    case 'unhealthy':
    case 'timeout':
      return afterStop(finished, cause);
  }
};

/** True if another run must follow, because a start or restart was requested during the run or its stop. */
export const isStartedAgain = ({ again, cause }: In<'stopping'>): boolean =>
  again === true || cause.tag === 'restart';

const scheduledError = (finished: Finished): ServiceError => {
  const { state } = finished;
  if ('error' in state.cause) return stopError(state.cause.error, state);
  // A scheduled run need not become ready, so a failure of a short run is not a failed start (ERR0102).
  return exitError(finished, true);
};

/** True if the result of the run decides the next state. False if a requested stop decides it. */
const hasOwnResult = (cause: StopCause): boolean =>
  cause.tag === 'unhealthy' || cause.tag === 'timeout' || (cause.tag === 'exited' && cause.asked !== true);

/** Returns the fields that are recorded even if a command decides the next state: the last failure. */
const kept = ({ patch }: Change): Partial<Run> => ({
  recovering: false,
  ...(patch?.lastFailure && { lastFailure: patch.lastFailure }),
});

/** Returns the change that follows from the result of a run. The change is empty after a requested stop. */
const ownResult = (finished: Finished): Change =>
  hasOwnResult(finished.state.cause) ? byCause(finished, finished.state.cause) : {};

/**
 * Returns the change after the run of a service that must be down. If the service stops only because the
 * supervisor ends, the result of the run is kept for the next supervisor.
 */
const notWanted = (finished: Finished): Change => {
  const { resume, leaving } = finished.service;
  const own = ownResult(finished);
  return own.to !== undefined && resume && !leaving ? own : { to: ASKED, patch: kept(own) };
};

/** Returns the change after the run of a service is verified to be over. */
export const finish = (finished: Finished): Change => {
  const { service, state, context } = finished;
  if (service.spec.kind === 'cron')
    return afterScheduledRun({
      ...{ service, state, at: context.at, how: endOf(finished), again: isStartedAgain(state) },
      failure: () => failureOf(finished, scheduledError(finished)),
    });
  if (service.wanted === 'down') return notWanted(finished);
  if (state.again !== true) return byCause(finished, state.cause);
  const own = ownResult(finished);
  return staysDone(finished, own) ? own : withoutRun(service, context.at, kept(own));
};
