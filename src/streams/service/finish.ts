// A run is over: nobody of its tree is left and its exit is known. What the service becomes now.
import type { Evidence, ServiceError } from '../domain/error.ts';
import { isSuccess, type ExitStatus } from '../domain/exit.ts';
import type { In, LastFailure, Service, ServiceState, StopCause } from '../domain/service.ts';
import type { Instant } from '../domain/time.ts';
import { afterFailure, policyRestarts, restartAfter } from './restart.ts';
import { ended, resultOf } from './schedule.ts';
import { wait } from './beginning.ts';
import type { Context, Change } from './input.ts';

const IN_USE = /EADDRINUSE|address (?:is )?already in use/i;

/** The error of an exit that was not asked for. */
const exitError = (
  service: Service,
  exited: { status: ExitStatus; evidence: Evidence; wasReady: boolean },
): ServiceError => {
  const { status, evidence, wasReady } = exited;
  const id = service.spec.id;
  if (wasReady) return { code: 'ERR0101', service: id, status };
  if (evidence.some((line) => IN_USE.test(line))) return { code: 'ERR0105', service: id, status, evidence };
  return { code: 'ERR0102', service: id, status, evidence };
};

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

interface Finished {
  readonly service: Service;
  readonly state: In<'stopping'>;
  readonly context: Context;
}

/** Its policy brings it back although nothing went wrong: that is no recovery from a crash. */
const startAgain = (service: Service, status: ExitStatus, at: Instant): Change => {
  const move = restartAfter(service, { code: 'ERR0101', service: service.spec.id, status }, at);
  return { ...move, patch: { ...move.patch, recovering: false } };
};

const failureOf = ({ state: { exit }, context: { at } }: Finished, error: ServiceError): LastFailure => ({
  at,
  error,
  ...(exit && { exit }),
});

/** It ended by itself. */
const afterExit = ({ service, state, context }: Finished, wasReady: boolean): Change => {
  const status = state.exit ?? { tag: 'unknown' };
  const error = exitError(service, { status, evidence: state.evidence ?? [], wasReady });
  if (!isSuccess(status)) return afterFailure(service, { at: context.at, error, exit: status });
  const { restartPolicy } = service.spec;
  if (policyRestarts(restartPolicy, status)) return startAgain(service, status, context.at);
  const completed = !wasReady || restartPolicy === 'never' || context.awaitedCompletion;
  return {
    to: { tag: 'down', why: { tag: completed ? 'completed' : 'ended' } },
    patch: { recovering: false },
  };
};

const byCause = (finished: Finished, cause: StopCause): Change => {
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
      return afterFailure(finished.service, failureOf(finished, cause.error));
  }
};

/** It was asked for by name once more while it ran or ended. */
const runsAgain = ({ service, state }: Finished): boolean =>
  service.insisted && (state.again === true || state.cause.tag === 'restart');

const FAILURES: ReadonlySet<string> = new Set(['failure', 'timeout']);

const runError = ({ service, state }: Finished): ServiceError => {
  if ('error' in state.cause) return state.cause.error;
  const { exit: status = { tag: 'unknown' }, evidence = [] } = state;
  // However short it was, it was a run.
  return exitError(service, { status, evidence, wasReady: true });
};

/** A scheduled run is over: it goes into the history, and the service waits for its next boundary. */
const cronOver = (finished: Finished, at: Instant): Change => {
  const { service, state } = finished;
  const result = resultOf(state.cause, state.exit);
  const exit = state.exit && { exit: state.exit };
  const error = FAILURES.has(result) ? runError(finished) : undefined;
  const patch = {
    schedule: ended(service.schedule, { at, result, ...exit, ...(error && { error }) }),
    ...(error && { lastFailure: failureOf(finished, error) }),
  };
  if (service.wanted === 'down') return { to: ASKED, patch: { ...patch, insisted: false } };
  if (runsAgain(finished)) return wait(patch);
  return { to: { tag: 'scheduled' }, patch: { ...patch, insisted: false } };
};

/** The next state of a service whose run is verified to be over. */
export const finish = (finished: Finished): Change => {
  const { service, state, context } = finished;
  if (service.spec.kind === 'cron') return cronOver(finished, context.at);
  if (service.wanted === 'down') return { to: ASKED, patch: { recovering: false } };
  return state.again ? wait({ recovering: false }) : byCause(finished, state.cause);
};
