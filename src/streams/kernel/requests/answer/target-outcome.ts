// Computes whether a service has reached what a command wants, has failed, or is still pending. A service can
// reach the wanted state and then fail while the command still waits for other services. The reply lists such
// a service as failed, so that every service that is not listed is as the command wants it.
// Rules: `docs/behaviour.md`, "Starting"; `docs/behaviour.md`, "Restart by hand", "restart";
// `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Breaker".
import type { Command } from '../../../domain/command.ts';
import { isCleanEnd, type ServiceError } from '../../../domain/errors/error.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { RolloutRecord } from '../../../domain/service/rollout.ts';
import type { Run } from '../../../domain/service/service-run.ts';
import type { DownReason, In, Service } from '../../../domain/service/service.ts';
import { between, type Instant } from '../../../domain/time.ts';
import { nodeOf } from '../../../graph/graph.ts';
import { blockerOf, type BlockerFacts } from '../../../graph/blocking-dependency.ts';
import { hasFailed, hasLeftovers } from '../../../graph/dependency-state.ts';
import { presentRun } from '../../../service/service-input.ts';
import { ranAt } from '../../../service/scheduled/scheduled-results.ts';
import { find, type Draft } from '../../draft.ts';
import type { Before, Request } from '../request.ts';

type TargetOutcome = 'pending' | 'reached' | ServiceError;

export interface OutcomeFacts extends BlockerFacts {
  readonly since: Instant;
  readonly before?: Before | undefined;
  readonly at: Instant;
}

type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

/** Returns ERR0117: a newer command has overridden the command that waits for this service. */
export const calledOff = (service: ServiceId): ServiceError => ({ code: 'ERR0117', service });

/**
 * Returns the result for a skipped service: ERR0109 if the user named it and it was skipped with a
 * dependency, else reached.
 */
const ofSkipped = ({ spec, insisted }: Service, by: SkippedBy): TargetOutcome =>
  insisted && by !== 'manifest' && by !== 'command'
    ? { code: 'ERR0109', service: spec.id, dependency: by }
    : 'reached';

const ofDown = (service: Service, { why }: In<'down'>): TargetOutcome => {
  const { id } = service.spec;
  switch (why.tag) {
    case 'failed':
      return why.error;
    case 'asked':
    case 'new':
      return calledOff(id);
    case 'completed':
    case 'ended':
      return 'reached';
    case 'skipped':
      return ofSkipped(service, why.by);
  }
};

/**
 * Returns the error of a run that was stopped early: ERR0109 if a dependency failed, ERR0117 if a command
 * stopped it.
 */
const ofCutOff = (service: Service, around: OutcomeFacts): ServiceError => {
  const { id } = service.spec;
  const dependency = blockerOf(service, around);
  return dependency === undefined ? calledOff(id) : { code: 'ERR0109', service: id, dependency };
};

/**
 * Returns the result for a cron service. `sup start --service JOB` runs it at once; else it only waits for
 * its next time.
 */
const ofScheduled = (service: Service, around: OutcomeFacts): TargetOutcome => {
  const last = service.schedule.runs.findLast((run) => (ranAt(run) ?? -Infinity) >= around.since);
  if (last === undefined || ranAt(last) === around.before?.ran) return 'reached';
  return last.error ?? (last.result === 'stopped' ? ofCutOff(service, around) : 'reached');
};

/**
 * Returns the error of a service with an open breaker: the failure that opened the breaker, if it is known.
 */
const cause = (error: ServiceError): TargetOutcome =>
  error.code === 'ERR0110' ? (error.last ?? error) : error;

/**
 * Returns the result for a service in backoff: reached if a clean exit caused the backoff, otherwise the
 * error.
 */
const ofBackoff = (error: ServiceError): TargetOutcome => (isCleanEnd(error) ? 'reached' : error);

/** Returns the result for a stopping service: pending, or ERR0112 if its end cannot be verified. */
const ofStopping = (service: ServiceId, state: In<'stopping'>, at: Instant): TargetOutcome => {
  if (state.phase !== 'unverified') return 'pending';
  const survivors = (state.survivors ?? []).map(({ pid }) => pid);
  return { code: 'ERR0112', service, survivors, waited: between(state.phaseSince, at) };
};

/**
 * Returns the result for a service with leftover processes: pending while they can still end, else ERR0112.
 */
const ofLeftoverRuns = (service: Service, at: Instant): TargetOutcome => {
  if (hasLeftovers(service)) return 'pending';
  const { remnants = [], spec } = service;
  const survivors = remnants.flatMap(({ alive }) => alive.map(({ pid }) => pid));
  return { code: 'ERR0112', service: spec.id, survivors, waited: between(remnants[0]?.since ?? at, at) };
};

/**
 * Returns the result during a rollout: pending, or an error if the second run cannot end, or waits in vain
 * for a dependency.
 */
const ofOther = (other: Run, around: OutcomeFacts): TargetOutcome => {
  const { actual, spec } = other;
  if (actual.tag === 'stopping') return ofStopping(spec.id, actual, around.at);
  const dependency = actual.tag === 'waiting' ? blockerOf(other, around) : undefined;
  return dependency === undefined ? 'pending' : { code: 'ERR0109', service: spec.id, dependency };
};

/**
 * True if `at`, an instant of the rollout, is after the command. A rollout that had already ended when the
 * command arrived never counts, even if the clock was set back.
 */
const isSince = ({ stages: [{ at: began }] }: RolloutRecord, at: Instant, around: OutcomeFacts): boolean =>
  at >= around.since && began !== around.before?.rolled;

/** True if a command cancelled the rollout and the service is up with its old run or its old declaration. */
const isAsBefore = (service: Service, { outcome, old }: RolloutRecord): boolean =>
  outcome === 'called-off' &&
  service.actual.tag === 'up' &&
  (presentRun(service) === old || service.revised !== undefined);

/**
 * Returns the result from the last ended rollout: its error, or ERR0117 if another command cancelled it
 * without effect. Returns `undefined` if the rollout succeeded or is older than the command.
 */
const ofPast = (service: Service, last: RolloutRecord, around: OutcomeFacts): TargetOutcome | undefined => {
  const [{ at: began }] = last.stages;
  if (began === around.before?.takenBack) return last.error;
  if (isAsBefore(service, last) && isSince(last, last.ended, around)) return calledOff(service.spec.id);
  return isSince(last, began, around) ? last.error : undefined;
};

/** Returns the result from the current rollout or from the last one since the command, if there is any. */
const ofRollout = (service: Service, around: OutcomeFacts): TargetOutcome | undefined => {
  const { rollout, rollouts } = service;
  if (rollout !== undefined) return ofOther(rollout.other, around);
  const last = rollouts?.at(-1);
  return last && ofPast(service, last, around);
};

/**
 * True if a dependent waits for the completion of the service. A start of the service then succeeds only when
 * the service has completed.
 */
const isAwaited = ({ spec }: Service, { graph }: OutcomeFacts): boolean =>
  nodeOf(graph, spec.id).awaitedCompletion;

const ofStart = (service: Service, around: OutcomeFacts): TargetOutcome => {
  const { actual, spec, wanted } = service;
  switch (actual.tag) {
    case 'up':
      return wanted === 'up' && !isAwaited(service, around) ? 'reached' : 'pending';
    case 'scheduled':
      return ofScheduled(service, around);
    case 'down':
      return ofDown(service, actual);
    case 'waiting': {
      const dependency = blockerOf(service, around);
      return dependency === undefined ? 'pending' : { code: 'ERR0109', service: spec.id, dependency };
    }
    case 'broken':
      return cause(actual.error);
    case 'backing-off':
      return ofBackoff(actual.error);
    case 'casualty':
      return { code: 'ERR0109', service: spec.id, dependency: actual.of[0] ?? spec.id };
    case 'stopping':
      return ofStopping(spec.id, actual, around.at);
    default:
      return 'pending';
  }
};

/**
 * Returns the result for a service that is down: reached; or pending or an error if processes or a rollout
 * remain.
 */
const ofStopped = (service: Service, around: OutcomeFacts): TargetOutcome => {
  if (service.remnants !== undefined || hasLeftovers(service)) return ofLeftoverRuns(service, around.at);
  return service.rollout === undefined ? 'reached' : (ofRollout(service, around) ?? 'reached');
};

const ofStop = (service: Service, around: OutcomeFacts): TargetOutcome => {
  const { actual, spec, wanted } = service;
  if (wanted === 'up') return calledOff(spec.id);
  if (actual.tag === 'down') return ofStopped(service, around);
  return actual.tag === 'stopping' ? ofStopping(spec.id, actual, around.at) : 'pending';
};

const BRINGS: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'rollback']);

/** Returns whether the service has reached what the command wants: pending, reached, or the error. */
export const targetOutcome = (
  command: Command['type'],
  service: Service,
  around: OutcomeFacts,
): TargetOutcome =>
  command === 'stop' || command === 'shutdown' || command === 'forget'
    ? ofStop(service, around)
    : ((BRINGS.has(command) ? ofRollout(service, around) : undefined) ?? ofStart(service, around));

/** Returns the error of a failed run that is still being stopped. */
const ofEnding = (service: Service, actual: In<'stopping'>): ServiceError | undefined => {
  if (!hasFailed(service)) return undefined;
  const { spec } = service;
  const { cause, exit: status = { tag: 'unknown' }, evidence = [] } = actual;
  if ('error' in cause) return cause.error;
  const wasReady = cause.tag === 'exited' && cause.wasReady;
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service: spec.id, status, evidence };
};

/** Returns the error of a service that has failed since the command arrived and is starting again. */
const ofPending = (service: Service, before: Before | undefined): ServiceError | undefined => {
  const { actual, lastFailure } = service;
  if (actual.tag === 'stopping') return ofEnding(service, actual);
  return lastFailure?.at === before?.failed ? undefined : lastFailure?.error;
};

const failureOf = (
  draft: Draft,
  { command, since, before }: Request,
  service: Service,
): ServiceError | undefined => {
  const { graph } = draft.state;
  const around = {
    ...{ graph, since, at: draft.at, before: before[service.spec.id] },
    find: (id: Service['spec']['id']) => find(draft, id),
  };
  const verdict = targetOutcome(command.type, service, around);
  if (verdict === 'pending') return ofPending(service, around.before);
  // ERR0117 is no failure: a newer command has overridden this one.
  return verdict === 'reached' || verdict.code === 'ERR0117' ? undefined : verdict;
};

const BRINGS_UP: ReadonlySet<Command['type']> = new Set(['start', 'restart', 'apply', 'rollback']);

/** Returns the errors of services that reached the state that the command wants and then failed. */
export const failedMeanwhile = (draft: Draft, request: Request): readonly ServiceError[] => {
  if (!BRINGS_UP.has(request.command.type)) return [];
  const named = request.failures.flatMap((error) => ('service' in error ? [error.service] : []));
  const others = new Set([...named, ...request.queue]);
  return request.targets
    .filter((id) => !others.has(id))
    .flatMap((id) => find(draft, id) ?? [])
    .flatMap((service) => failureOf(draft, request, service) ?? []);
};
