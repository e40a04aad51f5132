// Is a service where a command wants it, can it not get there, or is the verdict still out?
import type { Command } from '../../domain/command.ts';
import { isCleanEnd } from '../../domain/errors/clean-end.ts';
import type { ServiceError } from '../../domain/errors/error.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { RolloutRecord } from '../../domain/service/rollout.ts';
import type { DownReason, In, Service } from '../../domain/service/service.ts';
import { between, type Instant } from '../../domain/time.ts';
import { nodeOf } from '../../graph/graph.ts';
import { blockerOf, type Neighbours } from '../../graph/hopeless.ts';
import { isHunted } from '../../graph/standing.ts';
import { presentRun } from '../../service/input.ts';
import { ranAt } from '../../service/schedule.ts';
import type { Before } from './request.ts';

type Verdict = 'pending' | 'reached' | ServiceError;

export interface Surroundings extends Neighbours {
  /** When the command came. */
  readonly since: Instant;
  /** What the service was then. */
  readonly before?: Before | undefined;
  readonly at: Instant;
}

type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

/** A newer command wants it otherwise. */
export const calledOff = (service: ServiceId): ServiceError => ({ code: 'ERR0117', service });

/** It was asked for by name, and what it needs is skipped. */
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

/** The run was cut off: it fell with what it needs, or somebody wanted it otherwise. */
const ofCutOff = (service: Service, around: Surroundings): ServiceError => {
  const { id } = service.spec;
  const dependency = blockerOf(service, around);
  return dependency === undefined ? calledOff(id) : { code: 'ERR0109', service: id, dependency };
};

/** `sup start --service JOB` ran it now: what came of that run. */
const ofScheduled = (service: Service, around: Surroundings): Verdict => {
  const last = service.schedule.runs.findLast((run) => (ranAt(run) ?? -Infinity) >= around.since);
  if (last === undefined || ranAt(last) === around.before?.ran) return 'reached';
  return last.error ?? (last.result === 'stopped' ? ofCutOff(service, around) : 'reached');
};

/** The breaker opened at the first failure already (`max_restarts: 0`): that failure is the news. */
const cause = (error: ServiceError): Verdict => (error.code === 'ERR0110' ? (error.last ?? error) : error);

/** A service that its policy restarts after a clean exit has done what it was started for. */
const ofBackoff = (error: ServiceError): Verdict => (isCleanEnd(error) ? 'reached' : error);

/** What cannot be verified to have ended is told at once, whether it was to stop or to start anew. */
const ofStopping = (service: ServiceId, state: In<'stopping'>, at: Instant): Verdict => {
  if (state.phase !== 'unverified') return 'pending';
  const survivors = (state.survivors ?? []).map(({ pid }) => pid);
  return { code: 'ERR0112', service, survivors, waited: between(state.phaseSince, at) };
};

/** Nobody is called stopped of whom an earlier run is alive. */
const ofRemnants = (service: Service, at: Instant): Verdict => {
  if (isHunted(service)) return 'pending';
  const { remnants = [], spec } = service;
  const survivors = remnants.flatMap(({ alive }) => alive.map(({ pid }) => pid));
  return { code: 'ERR0112', service: spec.id, survivors, waited: between(remnants[0]?.since ?? at, at) };
};

/** The old run goes on, however long the candidate waits: whoever asked for it is told for whom. */
const ofSecond = (other: Service, around: Surroundings): Verdict => {
  const { actual, spec } = other;
  if (actual.tag === 'stopping') return ofStopping(spec.id, actual, around.at);
  const dependency = actual.tag === 'waiting' ? blockerOf(other, around) : undefined;
  return dependency === undefined ? 'pending' : { code: 'ERR0109', service: spec.id, dependency };
};

/** Also where the clock was set back meanwhile: what was over before the command is known. */
const isSince = ({ stages: [{ at: began }] }: RolloutRecord, at: Instant, around: Surroundings): boolean =>
  at >= around.since && began !== around.before?.rolled;

/** Nothing has come of it: the run that was to go serves, or another of the declaration that was. */
const isAsBefore = (service: Service, { outcome, old }: RolloutRecord): boolean =>
  outcome === 'called-off' &&
  service.actual.tag === 'up' &&
  (presentRun(service) === old || service.revised !== undefined);

/** It has failed since the command came, or was called off since then and left things as they were; not by that command itself. */
const ofPast = (service: Service, last: RolloutRecord, around: Surroundings): Verdict | undefined => {
  const [{ at: began }] = last.stages;
  if (began === around.before?.takenBack) return last.error;
  if (isAsBefore(service, last) && isSince(last, last.ended, around)) return calledOff(service.spec.id);
  return isSince(last, began, around) ? last.error : undefined;
};

/** The rollout that is under way, else the last one. */
const ofRollout = (service: Service, around: Surroundings): Verdict | undefined => {
  const { rollout, rollouts } = service;
  if (rollout !== undefined) return ofSecond(rollout.other, around);
  const last = rollouts?.at(-1);
  return last && ofPast(service, last, around);
};

/** It is there when it is done: who needs it needs its end. */
const isAwaited = ({ spec }: Service, { graph }: Surroundings): boolean =>
  nodeOf(graph, spec.id).awaitedCompletion;

const ofStart = (service: Service, around: Surroundings): Verdict => {
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

/** It is down: but for what is left of it. */
const ofStopped = (service: Service, around: Surroundings): Verdict => {
  if (service.remnants !== undefined || isHunted(service)) return ofRemnants(service, around.at);
  return service.rollout === undefined ? 'reached' : (ofRollout(service, around) ?? 'reached');
};

const ofStop = (service: Service, around: Surroundings): Verdict => {
  const { actual, spec, wanted } = service;
  if (wanted === 'up') return calledOff(spec.id);
  if (actual.tag === 'down') return ofStopped(service, around);
  return actual.tag === 'stopping' ? ofStopping(spec.id, actual, around.at) : 'pending';
};

const BRINGS: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'rollback']);

/** What a command that waits for this service learns from its present state. */
export const verdictOf = (command: Command['type'], service: Service, around: Surroundings): Verdict =>
  command === 'stop' || command === 'shutdown' || command === 'forget'
    ? ofStop(service, around)
    : ((BRINGS.has(command) ? ofRollout(service, around) : undefined) ?? ofStart(service, around));
