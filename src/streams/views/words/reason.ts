// The reason for the state of a service, in words: the services that it waits for, the attempt, the next
// start, the error. The reason does not name the service, because the name is shown next to it.
import { errorSentence, memoryText } from '../../domain/errors/error-sentence.ts';
import { nameOf, type ServiceId, shownId } from '../../domain/ids.ts';
import { exitText, type ExitStatus } from '../../domain/service/exit-status.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { DownReason, In, ServiceOrRun, Tag } from '../../domain/service/service.ts';
import { shownHealth, skippedText } from '../../domain/service/service-state.ts';
import { between, instant, type Instant, lengthText, plus } from '../../domain/time.ts';
import { isReplacedInVain, memoryError } from '../../service/max-memory.ts';
import { failedRun } from '../../domain/service/schedule.ts';
import { rolloutReason } from '../rollout-document.ts';
import type { LookUp } from '../state-snapshot.ts';
import { byText } from './cause-text.ts';
import { waitingText } from './because-of.ts';
import { failingText } from './incident-text.ts';
import { failureText, queuedText, scheduleText } from './schedule-text.ts';
import { stoppingReason } from './stopping-reason.ts';
import type { ServiceDocument } from '../../wire/documents/documents.ts';

export interface ReasonContext {
  readonly now: Instant;
  readonly byId: LookUp;
}

interface Situation<T extends Tag> extends ReasonContext {
  readonly service: ServiceOrRun;
  readonly state: In<T>;
}

type Reasons = { readonly [T in Tag]: (situation: Situation<T>) => string | null };

/** Returns the reason for the state; `null` if the service runs as it should and has nothing to report. */
export const reasonOf = (service: ServiceOrRun, context: ReasonContext): string | null => {
  const reasons = [
    reasonIn({ ...context, service, state: service.actual, tag: service.actual.tag }),
    'process' in service.actual ? (queuedText(service.schedule) ?? null) : null,
    notifiedText(service),
    failedRunReason(service),
    rolloutReason(service, context),
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join('; ');
};

/** Returns what the run reports about itself. A text that the run has sent is in quotes. */
const notifiedText = ({ actual }: Run): string | null => {
  const { status, reloading, stopping } = ('notified' in actual ? actual.notified : undefined) ?? {};
  const texts = [
    ...(stopping && actual.tag === 'up' ? ['it reports that it stops'] : []),
    ...(reloading ? ['it reports that it reloads'] : []),
    ...(status === undefined ? [] : [`"${status}"`]),
  ];
  return texts.length === 0 ? null : texts.join('; ');
};

const reasonIn = <T extends Tag>(situation: Situation<T> & { readonly tag: T }): string | null =>
  REASONS[situation.tag](situation);

const names = (ids: readonly ServiceId[]): string => ids.map(nameOf).join(', ');

const attemptOf = ({ attempts, spec }: Run): string => `attempt ${attempts} of ${spec.maxRestarts}`;

/** Returns the text. If this is an automatic start, the number of the attempt is added. */
const withAttempt = (text: string, service: Run): string =>
  service.recovering && service.attempts > 0 ? `${text}; ${attemptOf(service)}` : text;

const until = (now: Instant, then: Instant): string => `in ${lengthText(between(now, then))}`;

/**
 * Returns why the service is stopped: on request, because it is not declared any more, or with the
 * supervisor. A service that was stopped with the supervisor is started again by the next supervisor.
 */
const stoppedReason = ({ resume, leaving, askedBy }: ServiceOrRun): string => {
  if (leaving === true) return 'stopped: it is not declared any more';
  if (resume === true) return 'stopped with the supervisor; comes back with the next one';
  return `stopped on request${byText(askedBy)}`;
};

const leftText = (left: number | undefined): string => {
  if (left === undefined) return '';
  const what =
    left === 1
      ? 'a process that it left in the background was'
      : `${left} processes that it left in the background were`;
  return `; ${what} stopped`;
};

const successText = (status: ExitStatus | undefined): string =>
  status?.listed === true ? `${exitText(status)}, which success_exit_codes lists` : 'exited with 0';

const downReason = (why: DownReason, service: ServiceOrRun): string => {
  const { spec, lastExit } = service;
  switch (why.tag) {
    case 'new':
      return 'not started yet';
    case 'asked':
      return stoppedReason(service);
    case 'completed':
      return `finished: ${successText(lastExit?.status)}${leftText(why.left)}`;
    case 'ended': {
      const ended = lastExit === undefined ? 'ended' : exitText(lastExit.status);
      return `${ended}; restart_policy is ${spec.restartPolicy}`;
    }
    case 'failed':
      return errorSentence(why.error);
    case 'skipped':
      return skippedText(why.by);
  }
};

const waitingReason = ({ service, state, byId }: Situation<'waiting'>): string => {
  if (state.for === 'gate') return 'waits for its turn (start/max_concurrent)';
  return waitingText(service, byId) ?? 'waits for its dependencies';
};

/** The states with a reason that does not mention a failure. */
const UNTROUBLED: ReadonlySet<Tag> = new Set([
  'waiting',
  'preparing',
  'spawning',
  'starting',
  'up',
  'stopping',
]);

/** Returns a text about a failed scheduled run, if the reason for the state does not mention it. */
const failedRunReason = (service: Run): string | null => {
  const { actual } = service;
  const failed = failedRun(service);
  const isStopped = actual.tag === 'down' && actual.why.tag === 'asked';
  return failed !== undefined && (isStopped || UNTROUBLED.has(actual.tag)) ? failureText(failed) : null;
};

const startingReason = ({ service, state }: Situation<'starting'>): string => {
  const { error } = state.health;
  const { healthCheck: check } = service.spec.deployment;
  if (check === undefined)
    return withAttempt('started; ready if still up after startup_stability_ms', service);
  if (check.probe.tag === 'log')
    return withAttempt(`waits for a line of output: ${check.probe.log}`, service);
  if (check.probe.tag === 'notify') return withAttempt('waits for its READY=1', service);
  if (error === undefined) return withAttempt('waits for its health check to pass', service);
  return withAttempt(`not ready yet: ${errorSentence(error)}`, service);
};

/** Returns a text about memory use above `max_memory`. */
const heavyText = (service: ServiceOrRun, now: Instant): string | undefined => {
  const error = memoryError(service);
  if (error?.code !== 'ERR0120' || service.actual.tag !== 'up') return undefined;
  const since = service.actual.overweight?.since ?? now;
  const use = `over max_memory: uses ${memoryText(error.bytes)} of ${memoryText(error.limit)}`;
  if (isReplacedInVain(service))
    return `${use}; not replaced any more, because ${service.attempts} of ${service.spec.maxRestarts} attempts failed: sup restart ${shownId(service.spec.id)}`;
  return `${use}; restarts ${until(now, plus(since, error.length))}`;
};

const upReason = ({ service, state, now }: Situation<'up'>): string | null => {
  const failing = failingText(shownHealth(state), service);
  if (service.wanted === 'down') return 'waiting for its dependents to stop';
  if (failing !== undefined) return failing;
  const heavy = heavyText(service, now);
  if (heavy !== undefined) return heavy;
  if (service.attempts > 0) return `restarted: ${attemptOf(service)}`;
  if (service.revised !== undefined)
    return `changed since it started; sup apply ${shownId(service.spec.id)} applies it`;
  return unprotected(service);
};

/** Returns a text about the keys, such as namespaces, that Linux refused to apply to the run (schema 2). */
const unprotected = ({ skipped = [] }: Run): string | null =>
  skipped.length === 0 ? null : `runs without ${[...new Set(skipped.map(({ key }) => key))].join(', ')}`;

const backoffReason = ({ service, state, now }: Situation<'backing-off'>): string =>
  `${errorSentence(state.error)}; attempt ${state.attempt} of ${service.spec.maxRestarts} ${until(now, state.until)}`;

const REASONS: Reasons = {
  down: ({ service, state }) => downReason(state.why, service),
  scheduled: ({ service, now }) => scheduleText(service, now),
  waiting: waitingReason,
  preparing: ({ service, state }) =>
    withAttempt(state.step === 'skip' ? 'its skip command runs' : 'its pre_start command runs', service),
  spawning: ({ service }) => withAttempt('starting process', service),
  starting: startingReason,
  up: upReason,
  stopping: ({ service, state, now }) => stoppingReason({ service, state, now }),
  'backing-off': backoffReason,
  broken: ({ state }) => errorSentence(state.error),
  casualty: ({ state }) =>
    `fell with ${names(state.of)}; rises when ${state.of.length > 1 ? 'they are' : 'it is'} healthy again`,
};

type ReasonFields = Pick<ServiceDocument, 'reason' | 'state' | 'next_run_at' | 'next_attempt_at'>;

const NEXT_RUN = /(?<=^next run in )[^;]+/;
const NEXT_ATTEMPT = /(?<=; attempt \d+ of \d+ in )[^;]+/;

const left = (at: string, now: Instant): string => lengthText(between(now, instant(Date.parse(at))));

/**
 * Returns the reason of a service document, in which the time until the next run or attempt is counted from
 * `now`.
 */
export const reasonNow = (service: ReasonFields, now: Instant): string | null => {
  const { reason, state, next_run_at: run, next_attempt_at: attempt } = service;
  if (reason === null) return null;
  if (state === 'scheduled' && run !== null) return reason.replace(NEXT_RUN, left(run, now));
  if (state === 'backoff' && attempt !== null) return reason.replace(NEXT_ATTEMPT, left(attempt, now));
  return reason;
};
