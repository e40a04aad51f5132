// One service as a document (`sup.status/1`). All keys are present, with `null` for an unknown value.
import { shownHealth } from '../domain/service/service-state.ts';
import { type Evidence, isCleanEnd, type ServiceError } from '../domain/errors/error.ts';
import { type ExitStatus, isSuccess } from '../domain/service/exit-status.ts';
import { nameOf, shownId } from '../domain/ids.ts';
import type { LastExit, LastFailure, Run } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { between, type Instant } from '../domain/time.ts';
import { failedRollout, lostTraffic } from '../rollout/rollback-spec.ts';
import { isAlive } from '../graph/dependency-state.ts';
import { failedRun } from '../domain/service/schedule.ts';
import type {
  ErrorDocument,
  ExitDocument,
  FailureDocument,
  ServiceDocument,
  DeployDocument,
} from '../wire/documents/documents.ts';
import { becauseOf } from './words/because-of.ts';
import { errorDocument, lastEvidence } from './errors/error-text.ts';
import { rolloutDocument, shownSlot } from './rollout-document.ts';
import { reasonOf, type ReasonContext } from './words/reason.ts';
import type { Usage } from './state-snapshot.ts';
import { nextRunAt } from '../domain/service/schedule.ts';
import { timeText, timeTextOrNull } from './words/time-text.ts';
import { healthWord, stateWord } from './words/public-words.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { errorHint } from './errors/error-hint.ts';
import { LOGS } from './errors/service-hint.ts';

/** Returns advice about the error. If the service keeps no log, the advice names `sup inspect` instead. */
const serviceAdvice = (error: ServiceError, { id, logs }: Pick<ServiceSpec, 'id' | 'logs'>): string => {
  const hint = errorHint(error);
  const at = hint.indexOf(LOGS);
  return logs.sink === 'none' && at >= 0 ? `${hint.slice(0, at)}sup inspect ${shownId(id)}` : hint;
};

/** Returns `deploy` of the document. `error` and `at` are `null` unless the last rollout failed. */
const deployDocument = (service: Service): DeployDocument => {
  const failed = failedRollout(service);
  return {
    failed: failed !== undefined,
    error: failed?.error === undefined ? null : errorDocument(failed.error),
    at: failed === undefined ? null : timeText(failed.ended),
    rolled_back: service.rolledBack !== undefined,
  };
};

interface ServiceContext extends ReasonContext {
  readonly usage?: ((id: Service['spec']['id']) => Usage | undefined) | undefined;
}

/**
 * Returns one service as in `sup status --json`. During backoff after a plain exit, `error` is `null`,
 * because the reason already names the exit.
 */
export const serviceDocument = (service: Service, context: ServiceContext): ServiceDocument => {
  const { spec, actual } = service;
  const trouble = shownTrouble(service, context.now);
  const error = isNews(service) ? trouble : undefined;
  return {
    name: spec.name,
    kind: spec.kind,
    wanted: service.wanted,
    state: stateWord(service),
    health: healthWord(service),
    reason: reasonOf(service, context),
    error: error === undefined ? null : troubleDocument(error, service),
    ...adviceOn(service, trouble ?? failedRollout(service)?.error),
    because_of: becauseOf(service, context.byId).map(nameOf),
    pid: 'process' in actual ? actual.process.pid : null,
    run: service.runs,
    restarts: service.attempts,
    restarts_total: service.restartsTotal ?? 0,
    max_restarts: spec.maxRestarts,
    ...timesOf(service),
    ...endsOf(service),
    awaits_restart: awaitsRestart(service),
    ...usageOf(context.usage?.(spec.id)),
    slot: shownSlot(service),
    rollout: rolloutDocument(service, context.now),
    deploy: deployDocument(service),
  };
};

/**
 * Returns the error that users see: of the present run, or else of the last scheduled run, or else of a
 * switch that could not be reverted.
 */
const shownTrouble = (service: Service, now: Instant): ServiceError | undefined =>
  troubleOf(service, now) ?? failedRun(service)?.error ?? lostTraffic(service)?.error;

/**
 * Returns the output that explains the error. For a failed scheduled run this may be the output of the last
 * failure.
 */
const evidenceOf = (trouble: ServiceError, service: Service): Evidence => {
  const { lastFailure } = service;
  const printed = lastEvidence(trouble);
  const isRun = lastFailure !== undefined && trouble === failedRun(service)?.error;
  return printed.length === 0 && isRun ? lastEvidence(lastFailure.error) : printed;
};

const adviceOn = (
  service: Service,
  trouble: ServiceError | undefined,
): Pick<ServiceDocument, 'evidence' | 'next_step'> => ({
  evidence: trouble === undefined ? [] : evidenceOf(trouble, service),
  next_step: trouble === undefined ? null : serviceAdvice(trouble, service.spec),
});

const troubleDocument = (error: ServiceError, { spec }: Service): ErrorDocument => ({
  ...errorDocument(error),
  hint: serviceAdvice(error, spec),
});

type Times = Pick<ServiceDocument, 'started_at' | 'ready_at' | 'next_attempt_at' | 'next_run_at'>;

const timesOf = (service: Service): Times => {
  const { actual, schedule, wanted } = service;
  return {
    started_at: timeTextOrNull(startedAt(service)),
    ready_at: actual.tag === 'up' ? timeText(actual.readyAt) : null,
    next_attempt_at: actual.tag === 'backing-off' ? timeText(actual.until) : null,
    next_run_at: wanted === 'up' ? timeTextOrNull(nextRunAt(schedule)) : null,
  };
};

/**
 * Returns CPU and memory values. 0 bytes are shown as unknown, because Linux counts the first memory of a new
 * program with a delay.
 */
const usageOf = ({ cpuPercent, rssBytes = 0 }: Usage = {}): Pick<
  ServiceDocument,
  'cpu_percent' | 'rss_bytes'
> => ({
  cpu_percent: cpuPercent === undefined ? null : Math.round(cpuPercent * 10) / 10,
  rss_bytes: rssBytes === 0 ? null : rssBytes,
});

/** Returns the exit as a document with a code or a signal. Both are `null` if the exit status is unknown. */
export const exitDocument = (status: ExitStatus, at: Instant): ExitDocument => ({
  code: status.tag === 'code' ? status.code : null,
  signal: status.tag === 'signal' ? status.signal : null,
  success: isSuccess(status),
  // If the exit status is unknown, its time is unknown too.
  at: status.tag === 'unknown' ? null : timeText(at),
});

const failureDocument = (
  { at, error, exit, exitedAt = at }: LastFailure,
  service: Service,
): FailureDocument => ({
  at: timeText(at),
  error: troubleDocument(error, service),
  exit: exit === undefined ? null : exitDocument(exit, exitedAt),
});

const lastExitDocument = ({ status, at }: LastExit): ExitDocument => exitDocument(status, at);

const awaitsRestart = (service: Service): boolean => service.revised !== undefined && isAlive(service);

const endsOf = (service: Service): Pick<ServiceDocument, 'last_exit' | 'last_failure'> => {
  const { lastExit, lastFailure } = service;
  return {
    last_exit: lastExit === undefined ? null : lastExitDocument(lastExit),
    last_failure: lastFailure === undefined ? null : failureDocument(lastFailure, service),
  };
};

/** Returns when the current run started. If there is no current run, returns when the last run started. */
const startedAt = ({ actual, history }: Service): Instant | undefined => {
  if (actual.tag === 'starting' || actual.tag === 'up') return actual.since;
  return history.findLast(({ to }) => to === 'starting')?.at;
};

/** False for a plain exit during backoff, because the reason already names this exit. */
const isNews = ({ actual }: Service): boolean =>
  actual.tag !== 'backing-off' || actual.error.code !== 'ERR0101';

/** Returns the error that explains the state of the run, if there is one. */
export const troubleOf = (run: Run, now: Instant): ServiceError | undefined => {
  const { actual, spec } = run;
  switch (actual.tag) {
    case 'scheduled':
      return failedRun(run)?.error;
    case 'down':
      return actual.why.tag === 'failed' ? actual.why.error : undefined;
    case 'broken':
      return actual.error;
    case 'backing-off':
      return isCleanEnd(actual.error) ? undefined : actual.error;
    case 'starting':
    case 'up':
      return shownHealth(actual).error;
    case 'stopping':
      return stoppingError(actual, { id: spec.id, now });
    default:
      return undefined;
  }
};

const stoppingError = (
  { cause, phase, phaseSince, survivors }: Extract<Service['actual'], { tag: 'stopping' }>,
  { id, now }: { readonly id: Service['spec']['id']; readonly now: Instant },
): ServiceError | undefined => {
  if (phase === 'unverified')
    return {
      code: 'ERR0112',
      service: id,
      survivors: (survivors ?? []).map(({ pid }) => pid),
      waited: between(phaseSince, now),
    };
  return 'error' in cause ? cause.error : undefined;
};
