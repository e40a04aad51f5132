// The verdict on a service that a command is about: reached, failed or pending.
import type { Command } from '../../domain/command.ts';
import { isCleanEnd, type ServiceError } from '../../domain/errors/error.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { RolloutRecord } from '../../domain/service/rollout.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { DownReason, In, Service } from '../../domain/service/service.ts';
import { between, type Instant } from '../../domain/time.ts';
import { nodeOf } from '../../graph/graph.ts';
import { blockerOf, type BlockerFacts } from '../../graph/blocking-dependency.ts';
import { hasLeftovers } from '../../graph/dependency-state.ts';
import { presentRun } from '../../service/service-input.ts';
import { ranAt } from '../../service/scheduled-runs.ts';
import type { Before } from './request.ts';

type Verdict = 'pending' | 'reached' | ServiceError;

export interface VerdictFacts extends BlockerFacts {
  readonly since: Instant;
  readonly before?: Before | undefined;
  readonly at: Instant;
}

type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

/** Returns ERR0117: a newer command overrides the one that waits for this service. */
export const calledOff = (service: ServiceId): ServiceError => ({ code: 'ERR0117', service });

/** Verdict on a skipped service: ERR0109 if the user named it and a dependency is skipped, else reached. */
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

/** Error of a run that was stopped early: by a failed dependency (ERR0109) or a command (ERR0117). */
const ofCutOff = (service: Service, around: VerdictFacts): ServiceError => {
  const { id } = service.spec;
  const dependency = blockerOf(service, around);
  return dependency === undefined ? calledOff(id) : { code: 'ERR0109', service: id, dependency };
};

/** Verdict on a cron service that `sup start --service JOB` ran at once. */
const ofScheduled = (service: Service, around: VerdictFacts): Verdict => {
  const last = service.schedule.runs.findLast((run) => (ranAt(run) ?? -Infinity) >= around.since);
  if (last === undefined || ranAt(last) === around.before?.ran) return 'reached';
  return last.error ?? (last.result === 'stopped' ? ofCutOff(service, around) : 'reached');
};

/** An open breaker is reported as the failure itself if the first failure opened it (`max_restarts: 0`). */
const cause = (error: ServiceError): Verdict => (error.code === 'ERR0110' ? (error.last ?? error) : error);

/** Verdict on a service in backoff: its error, or reached after a clean exit that the policy restarts. */
const ofBackoff = (error: ServiceError): Verdict => (isCleanEnd(error) ? 'reached' : error);

/** Verdict on a stopping service: pending, or failed if its end cannot be verified. */
const ofStopping = (service: ServiceId, state: In<'stopping'>, at: Instant): Verdict => {
  if (state.phase !== 'unverified') return 'pending';
  const survivors = (state.survivors ?? []).map(({ pid }) => pid);
  return { code: 'ERR0112', service, survivors, waited: between(state.phaseSince, at) };
};

/** Verdict on a service with leftover processes, which is not stopped while they live. */
const ofRemnants = (service: Service, at: Instant): Verdict => {
  if (hasLeftovers(service)) return 'pending';
  const { remnants = [], spec } = service;
  const survivors = remnants.flatMap(({ alive }) => alive.map(({ pid }) => pid));
  return { code: 'ERR0112', service: spec.id, survivors, waited: between(remnants[0]?.since ?? at, at) };
};

/** Verdict during a rollout: pending, or the dependency for which the new run waits in vain. */
const ofOther = (other: Run, around: VerdictFacts): Verdict => {
  const { actual, spec } = other;
  if (actual.tag === 'stopping') return ofStopping(spec.id, actual, around.at);
  const dependency = actual.tag === 'waiting' ? blockerOf(other, around) : undefined;
  return dependency === undefined ? 'pending' : { code: 'ERR0109', service: spec.id, dependency };
};

/** True if the rollout began after the command, also if the clock was set back since. */
const isSince = ({ stages: [{ at: began }] }: RolloutRecord, at: Instant, around: VerdictFacts): boolean =>
  at >= around.since && began !== around.before?.rolled;

/** True if the rollout was cancelled without effect. */
const isAsBefore = (service: Service, { outcome, old }: RolloutRecord): boolean =>
  outcome === 'called-off' &&
  service.actual.tag === 'up' &&
  (presentRun(service) === old || service.revised !== undefined);

/** Verdict from an ended rollout: its error, or ERR0117 if another command cancelled it without effect. */
const ofPast = (service: Service, last: RolloutRecord, around: VerdictFacts): Verdict | undefined => {
  const [{ at: began }] = last.stages;
  if (began === around.before?.takenBack) return last.error;
  if (isAsBefore(service, last) && isSince(last, last.ended, around)) return calledOff(service.spec.id);
  return isSince(last, began, around) ? last.error : undefined;
};

/** Verdict from the current or last rollout since the command, if any. */
const ofRollout = (service: Service, around: VerdictFacts): Verdict | undefined => {
  const { rollout, rollouts } = service;
  if (rollout !== undefined) return ofOther(rollout.other, around);
  const last = rollouts?.at(-1);
  return last && ofPast(service, last, around);
};

/** True if a dependent waits for completion, so that a start succeeds only when the service has completed. */
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

/** Verdict on a service that is down: reached, unless processes or a rollout remain. */
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

/** Returns the verdict on the service: whether it has reached what the command wants. */
export const verdictOf = (command: Command['type'], service: Service, around: VerdictFacts): Verdict =>
  command === 'stop' || command === 'shutdown' || command === 'forget'
    ? ofStop(service, around)
    : ((BRINGS.has(command) ? ofRollout(service, around) : undefined) ?? ofStart(service, around));
