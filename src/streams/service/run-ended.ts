// Decides the next state after a run is over: no process of its tree is left and its exit is known.
// Rules: `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Restarting"; `docs/behaviour.md`,
// "Schedules", "A run that fails".
import type { Evidence, ServiceError } from '../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import { sameProcess } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import type {
  DownReason,
  In,
  LastFailure,
  ServiceOrRun,
  ServiceState,
  StopCause,
} from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { afterFailure, policyRestarts, restartAfter } from './restart-policy.ts';
import { ended, resultOf } from './schedule.ts';
import { anew, betweenRuns, isDeclaredAnew } from './state-without-run.ts';
import { saysInUse } from './address-in-use.ts';
import type { Change, CellContext } from './service-input.ts';

interface Finished {
  readonly service: ServiceOrRun;
  readonly state: In<'stopping'>;
  readonly context: CellContext;
}

type Facts = Pick<In<'stopping'>, 'taken'> & { readonly evidence: Evidence };

const factsOf = ({ taken, evidence = [] }: In<'stopping'>): Facts => ({
  evidence,
  ...(taken !== undefined && { taken }),
});

/** Returns the error of an exit that the supervisor did not request. */
const exitError = ({ service: { spec }, state }: Finished, wasReady: boolean): ServiceError => {
  const service = spec.id;
  const facts = factsOf(state);
  const status = state.exit ?? { tag: 'unknown' };
  if (facts.taken !== undefined || saysInUse(facts.evidence))
    return { code: 'ERR0105', service, status, ...facts };
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service, status, evidence: facts.evidence };
};

/**
 * Returns the error that ended the run, with the run's last output added. ERR0105 if that output says that
 * the address was in use.
 */
const stopError = (error: ServiceError, state: In<'stopping'>): ServiceError => {
  const facts = factsOf(state);
  if (facts.evidence.length === 0) return error;
  if (error.code === 'ERR0105') return { ...error, evidence: facts.evidence };
  if (saysInUse(facts.evidence)) return { code: 'ERR0105', service: error.service, ...facts };
  return { ...error, evidence: facts.evidence };
};

/**
 * Returns ERR0118 if the program left a process running in the background and exited before readiness.
 * Returns `undefined` if the exit completes the service, with restart policy `never` or a dependent that
 * waits for completion.
 */
const wentAway = ({ service, state, context }: Finished, wasReady: boolean): ServiceError | undefined => {
  const { id, restartPolicy } = service.spec;
  if (state.daemon === undefined || wasReady || restartPolicy === 'never' || context.awaitedCompletion)
    return undefined;
  return { code: 'ERR0118', service: id, daemon: state.daemon, evidence: state.evidence ?? [] };
};

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** Restarts the service by its policy. Nothing failed, so the restart does not count as a recovery. */
const startAgain = (service: Run, status: ExitStatus, at: Instant): Change => {
  const move = restartAfter(service, { code: 'ERR0101', service: service.spec.id, status }, at);
  return { ...move, patch: { ...move.patch, recovering: false } };
};

/** Returns the exit status and the time of the exit, as far as they are known. */
const endOf = ({ service: { lastExit }, state: { exit } }: Finished): Partial<LastFailure> => ({
  ...(exit && { exit }),
  ...(exit && lastExit && { exitedAt: lastExit.at }),
});

const failureOf = (finished: Finished, error: ServiceError): LastFailure => ({
  at: finished.context.at,
  error,
  ...endOf(finished),
});

/**
 * Returns the error of a failed exit, or of exit 0 by a program that left a process in the background;
 * otherwise `undefined`.
 */
const errorOfExit = (finished: Finished, wasReady: boolean): ServiceError | undefined =>
  isSuccess(finished.state.exit ?? { tag: 'unknown' })
    ? wentAway(finished, wasReady)
    : exitError(finished, wasReady);

/**
 * Returns the number of processes of the run, besides the leader, that got the stop signal; empty if there
 * are none.
 */
const leftBy = ({ asked, process }: In<'stopping'>): { readonly left?: number } => {
  const left = asked.filter((ref) => !sameProcess(ref, process)).length;
  return left === 0 ? {} : { left };
};

/** Returns the next state after the leader exited by itself. */
const afterExit = ({ service, state, context }: Finished, wasReady: boolean): Change => {
  const status = state.exit ?? { tag: 'unknown' };
  const error = errorOfExit({ service, state, context }, wasReady);
  if (error !== undefined) {
    const failure = failureOf({ service, state, context }, error);
    return afterFailure(service, { ...failure, exit: status });
  }
  const { restartPolicy } = service.spec;
  if (policyRestarts(restartPolicy, status)) return startAgain(service, status, context.at);
  const completed = !wasReady || restartPolicy === 'never' || context.awaitedCompletion;
  const why: DownReason = completed ? { tag: 'completed', ...leftBy(state) } : { tag: 'ended' };
  return { to: { tag: 'down', why }, patch: { recovering: false } };
};

const byCause = (finished: Finished, cause: StopCause): Change => {
  const { service, context } = finished;
  switch (cause.tag) {
    case 'asked':
    case 'restart':
      return anew(service, context.at, { recovering: false });
    case 'felled':
      return { to: { tag: 'casualty', of: cause.of }, patch: { recovering: false } };
    case 'exited':
      return afterExit(finished, cause.wasReady);
    case 'unhealthy':
    case 'timeout':
      return afterFailure(service, failureOf(finished, stopError(cause.error, finished.state)));
  }
};

/** True if a start or restart during the run or its stop requested another run. */
export const isBegunAnew = ({ again, cause }: In<'stopping'>): boolean =>
  again === true || cause.tag === 'restart';

const FAILURES: ReadonlySet<string> = new Set(['failure', 'timeout']);

const runError = (finished: Finished): ServiceError => {
  const { state } = finished;
  if ('error' in state.cause) return stopError(state.cause.error, state);
  // A scheduled run needs no readiness, so a short run is not a failed start (ERR0102).
  return exitError(finished, true);
};

/**
 * Ends a scheduled run: adds its result to the schedule's history. The service then waits for its next
 * scheduled time.
 */
const cronOver = (finished: Finished, at: Instant): Change => {
  const { service, state } = finished;
  const result = resultOf(state.cause, state.exit);
  const error = FAILURES.has(result) ? runError(finished) : undefined;
  // The output is kept in `lastFailure` only, not in each of the fifty recorded runs.
  const patch = {
    schedule: ended(service.schedule, {
      at,
      result,
      ...endOf(finished),
      ...(error && { error: { ...error, evidence: [] } }),
    }),
    ...(error && { lastFailure: failureOf(finished, error) }),
  };
  if (service.wanted === 'down') return { to: ASKED, patch: { ...patch, insisted: false } };
  if (isBegunAnew(finished.state)) return anew(service, at, patch);
  return betweenRuns(patch);
};

/** True if the run ended by itself or failed before a stop was requested: then its own result counts. */
const isVerdict = (cause: StopCause): boolean =>
  cause.tag === 'unhealthy' || cause.tag === 'timeout' || (cause.tag === 'exited' && cause.asked !== true);

/** Returns what is kept of a run's own result if another request overrides it. */
const kept = ({ patch }: Change): Partial<Run> => ({
  recovering: false,
  ...(patch?.lastFailure && { lastFailure: patch.lastFailure }),
});

/**
 * True if a completed service stays done: the start or restart did not name it, and its declaration needs no
 * new process.
 */
const staysDone = ({ service, state }: Finished, { to }: Change): boolean =>
  to?.tag === 'down' && to.why.tag === 'completed' && state.named !== true && !isDeclaredAnew(service);

/** Returns the change that a run's own result causes; empty if the run was stopped by request. */
const ownResult = (finished: Finished): Change =>
  isVerdict(finished.state.cause) ? byCause(finished, finished.state.cause) : {};

/**
 * Returns the change for a service that must be down. If it stops only because the supervisor ends, its own
 * result is kept for the next supervisor.
 */
const notWanted = (finished: Finished): Change => {
  const { resume, leaving } = finished.service;
  const own = ownResult(finished);
  return own.to !== undefined && resume && !leaving ? own : { to: ASKED, patch: kept(own) };
};

/** Returns the next state of a service whose run is verified to be over. */
export const finish = (finished: Finished): Change => {
  const { service, state, context } = finished;
  if (service.spec.kind === 'cron') return cronOver(finished, context.at);
  if (service.wanted === 'down') return notWanted(finished);
  if (state.again !== true) return byCause(finished, state.cause);
  const own = ownResult(finished);
  return staysDone(finished, own) ? own : anew(service, context.at, kept(own));
};
