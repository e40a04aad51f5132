// Computes the verdict on a target (a service that a command is about): it has reached the state that the
// command wants, has failed to reach it, or is still pending.
import type { Command } from '../../domain/command.ts';
import { isCleanEnd, type ServiceError } from '../../domain/errors/error.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { RolloutRecord } from '../../domain/service/rollout.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { DownReason, In, Service } from '../../domain/service/service.ts';
import { between, type Instant } from '../../domain/time.ts';
import { nodeOf } from '../../graph/graph.ts';
import { blockerOf, type BlockerFacts } from '../../graph/blocker.ts';
import { hasLeftovers } from '../../graph/dependency-state.ts';
import { presentRun } from '../../service/service-input.ts';
import { ranAt } from '../../service/schedule.ts';
import type { Before } from './request.ts';

type Verdict = 'pending' | 'reached' | ServiceError;

export interface VerdictFacts extends BlockerFacts {
  /** When the command came. */
  readonly since: Instant;
  /** What was recorded of the service when the command came. */
  readonly before?: Before | undefined;
  readonly at: Instant;
}

type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

/** Returns ERR0117: a newer command overrides the one that waits for this service. */
export const calledOff = (service: ServiceId): ServiceError => ({ code: 'ERR0117', service });

/**
 * Returns the verdict on a skipped service: ERR0109 if the user named it and a dependency of it is skipped;
 * otherwise it has reached its state.
 */
const ofSkipped = ({ spec, insisted }: Service, by: SkippedBy): Verdict =>
  insisted && by !== 'manifest' && by !== 'command'
    ? { code: 'ERR0109', service: spec.id, dependency: by }
    : 'reached';

const ofDown = (service: Service, { why }: In<'down'>): Verdict => {
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
 * Returns the error of a service if its run was stopped early: a dependency failed (ERR0109) or another
 * command stopped it (ERR0117).
 */
const ofCutOff = (service: Service, around: VerdictFacts): ServiceError => {
  const { id } = service.spec;
  const dependency = blockerOf(service, around);
  return dependency === undefined ? calledOff(id) : { code: 'ERR0109', service: id, dependency };
};

/**
 * Returns the verdict on a cron service that `sup start --service JOB` started at once, from the result of
 * that run.
 */
const ofScheduled = (service: Service, around: VerdictFacts): Verdict => {
  const last = service.schedule.runs.findLast((run) => (ranAt(run) ?? -Infinity) >= around.since);
  if (last === undefined || ranAt(last) === around.before?.ran) return 'reached';
  return last.error ?? (last.result === 'stopped' ? ofCutOff(service, around) : 'reached');
};

/**
 * Returns the error of a service with an open breaker. If the breaker opened at the first failure
 * (`max_restarts: 0`), that failure is the error.
 */
const cause = (error: ServiceError): Verdict => (error.code === 'ERR0110' ? (error.last ?? error) : error);

/**
 * Returns the verdict on a service in backoff: its error. If it exited with success and restarts only by its
 * policy, the start has reached its goal.
 */
const ofBackoff = (error: ServiceError): Verdict => (isCleanEnd(error) ? 'reached' : error);

/**
 * Returns the verdict on a service that is stopping: pending. If the stop cannot be verified, the verdict is
 * an error at once, for a stop as for a restart.
 */
const ofStopping = (service: ServiceId, state: In<'stopping'>, at: Instant): Verdict => {
  if (state.phase !== 'unverified') return 'pending';
  const survivors = (state.survivors ?? []).map(({ pid }) => pid);
  return { code: 'ERR0112', service, survivors, waited: between(state.phaseSince, at) };
};

/**
 * Returns the verdict on a service with leftover processes of an earlier run: it does not count as stopped
 * while such a process lives.
 */
const ofRemnants = (service: Service, at: Instant): Verdict => {
  if (hasLeftovers(service)) return 'pending';
  const { remnants = [], spec } = service;
  const survivors = remnants.flatMap(({ alive }) => alive.map(({ pid }) => pid));
  return { code: 'ERR0112', service: spec.id, survivors, waited: between(remnants[0]?.since ?? at, at) };
};

/**
 * Returns the verdict while a rollout is in progress: pending, because the old run continues however long the
 * candidate takes. If the candidate waits for a dependency that does not become ready, an error names that
 * dependency.
 */
const ofOther = (other: Run, around: VerdictFacts): Verdict => {
  const { actual, spec } = other;
  if (actual.tag === 'stopping') return ofStopping(spec.id, actual, around.at);
  const dependency = actual.tag === 'waiting' ? blockerOf(other, around) : undefined;
  return dependency === undefined ? 'pending' : { code: 'ERR0109', service: spec.id, dependency };
};

/**
 * True if the rollout began after the command came. It is also compared with the rollout that had ended
 * before, in case the clock was set back.
 */
const isSince = ({ stages: [{ at: began }] }: RolloutRecord, at: Instant, around: VerdictFacts): boolean =>
  at >= around.since && began !== around.before?.rolled;

/** True if the rollout was cancelled and changed nothing: a run with the old declaration still serves. */
const isAsBefore = (service: Service, { outcome, old }: RolloutRecord): boolean =>
  outcome === 'called-off' &&
  service.actual.tag === 'up' &&
  (presentRun(service) === old || service.revised !== undefined);

/**
 * Returns the verdict from an ended rollout: its error if it has failed since the command came; ERR0117 if
 * another command has cancelled it since, without effect. `undefined` otherwise.
 */
const ofPast = (service: Service, last: RolloutRecord, around: VerdictFacts): Verdict | undefined => {
  const [{ at: began }] = last.stages;
  if (began === around.before?.takenBack) return last.error;
  if (isAsBefore(service, last) && isSince(last, last.ended, around)) return calledOff(service.spec.id);
  return isSince(last, began, around) ? last.error : undefined;
};

/**
 * Returns the verdict from the current rollout, else from the last one; `undefined` if there was none since
 * the command came.
 */
const ofRollout = (service: Service, around: VerdictFacts): Verdict | undefined => {
  const { rollout, rollouts } = service;
  if (rollout !== undefined) return ofOther(rollout.other, around);
  const last = rollouts?.at(-1);
  return last && ofPast(service, last, around);
};

/**
 * True if a dependent waits for this service to complete. Then its start reaches its goal only when the
 * service has completed.
 */
const isAwaited = ({ spec }: Service, { graph }: VerdictFacts): boolean =>
  nodeOf(graph, spec.id).awaitedCompletion;

const ofStart = (service: Service, around: VerdictFacts): Verdict => {
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

/** Returns the verdict on a service that is down: reached, unless leftover processes or a rollout remain. */
const ofStopped = (service: Service, around: VerdictFacts): Verdict => {
  if (service.remnants !== undefined || hasLeftovers(service)) return ofRemnants(service, around.at);
  return service.rollout === undefined ? 'reached' : (ofRollout(service, around) ?? 'reached');
};

const ofStop = (service: Service, around: VerdictFacts): Verdict => {
  const { actual, spec, wanted } = service;
  if (wanted === 'up') return calledOff(spec.id);
  if (actual.tag === 'down') return ofStopped(service, around);
  return actual.tag === 'stopping' ? ofStopping(spec.id, actual, around.at) : 'pending';
};

const BRINGS: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'rollback']);

/** Returns the verdict on this service in its current state: if it has reached what this command wants. */
export const verdictOf = (command: Command['type'], service: Service, around: VerdictFacts): Verdict =>
  command === 'stop' || command === 'shutdown' || command === 'forget'
    ? ofStop(service, around)
    : ((BRINGS.has(command) ? ofRollout(service, around) : undefined) ?? ofStart(service, around));
