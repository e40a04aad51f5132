// A run is over: nobody of its tree is left and its exit is known. What the service becomes now.
import type { Evidence, ServiceError } from '../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import { sameProcess } from '../domain/service/process.ts';
import type {
  DownReason,
  In,
  LastFailure,
  Service,
  ServiceState,
  StopCause,
} from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { afterFailure, policyRestarts, restartAfter } from './restart.ts';
import { ended, resultOf } from './schedule.ts';
import { anew, betweenRuns, isDeclaredAnew } from './anew.ts';
import { saysInUse } from './in-use.ts';
import type { Change, Context } from './input.ts';

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
const exitError = ({ service: { spec }, state }: Finished, wasReady: boolean): ServiceError => {
  const service = spec.id;
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

/** Its policy brings it back although nothing went wrong: that is no recovery from a crash. */
const startAgain = (service: Service, status: ExitStatus, at: Instant): Change => {
  const move = restartAfter(service, { code: 'ERR0101', service: service.spec.id, status }, at);
  return { ...move, patch: { ...move.patch, recovering: false } };
};

/** The exit was noted with its own time, which is that of this run: it is known. */
const endOf = ({ service: { lastExit }, state: { exit } }: Finished): Partial<LastFailure> => ({
  ...(exit && { exit }),
  ...(exit && lastExit && { exitedAt: lastExit.at }),
});

const failureOf = (finished: Finished, error: ServiceError): LastFailure => ({
  at: finished.context.at,
  error,
  ...endOf(finished),
});

/** Its exit is a failure; so is exit 0 of a program that only went into the background. */
const errorOfExit = (finished: Finished, wasReady: boolean): ServiceError | undefined =>
  isSuccess(finished.state.exit ?? { tag: 'unknown' })
    ? wentAway(finished, wasReady)
    : exitError(finished, wasReady);

/** Who was in its tree still, and was stopped when the leader had ended. */
const leftBy = ({ asked, process }: In<'stopping'>): { readonly left?: number } => {
  const left = asked.filter((ref) => !sameProcess(ref, process)).length;
  return left === 0 ? {} : { left };
};

/** It ended by itself. */
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

/** Somebody asked for another run while it ran or ended: by name there is one at once. */
export const isBegunAnew = ({ again, cause }: In<'stopping'>): boolean =>
  again === true || cause.tag === 'restart';

const FAILURES: ReadonlySet<string> = new Set(['failure', 'timeout']);

const runError = (finished: Finished): ServiceError => {
  const { state } = finished;
  if ('error' in state.cause) return stopError(state.cause.error, state);
  // However short it was, it was a run.
  return exitError(finished, true);
};

/** A scheduled run is over: it goes into the history, and the service waits for its next boundary. */
const cronOver = (finished: Finished, at: Instant): Change => {
  const { service, state } = finished;
  const result = resultOf(state.cause, state.exit);
  const error = FAILURES.has(result) ? runError(finished) : undefined;
  // What it printed is kept once, not fifty times.
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

/** It ended by itself before anybody asked it to: that has a result, whatever was asked since. */
const isVerdict = (cause: StopCause): boolean =>
  cause.tag === 'unhealthy' || cause.tag === 'timeout' || (cause.tag === 'exited' && cause.asked !== true);

/** Of what became of it by itself: what stays, where something else was asked for meanwhile. */
const kept = ({ patch }: Change): Partial<Service> => ({
  recovering: false,
  ...(patch?.lastFailure && { lastFailure: patch.lastFailure }),
});

/** A start or restart of everything leaves alone what is done. */
const staysDone = ({ service, state }: Finished, { to }: Change): boolean =>
  to?.tag === 'down' && to.why.tag === 'completed' && state.named !== true && !isDeclaredAnew(service);

/** What became of it by itself; nothing where it was brought to its end. */
const ownResult = (finished: Finished): Change =>
  isVerdict(finished.state.cause) ? byCause(finished, finished.state.cause) : {};

/** Who only ends with the supervisor goes on with the next one from what became of it by itself. */
const notWanted = (finished: Finished): Change => {
  const { resume, leaving } = finished.service;
  const own = ownResult(finished);
  return own.to !== undefined && resume && !leaving ? own : { to: ASKED, patch: kept(own) };
};

/** The next state of a service whose run is verified to be over. */
export const finish = (finished: Finished): Change => {
  const { service, state, context } = finished;
  if (service.spec.kind === 'cron') return cronOver(finished, context.at);
  if (service.wanted === 'down') return notWanted(finished);
  if (state.again !== true) return byCause(finished, state.cause);
  const own = ownResult(finished);
  return staysDone(finished, own) ? own : anew(service, context.at, kept(own));
};
