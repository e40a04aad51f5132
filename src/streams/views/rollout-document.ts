// Rollouts as documents: the rollout in progress with the duration of each step, and the ended rollouts for
// `sup inspect`.
import { errorSentence } from '../domain/errors/error-sentence.ts';
import type { RolloutRecord, Stage } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Rollout, Service, ServiceOrRun } from '../domain/service/service.ts';
import { between, type Instant, lengthText } from '../domain/time.ts';
import { failedRollout } from '../rollout/rollback-spec.ts';
import { stepOf, stepSince } from '../rollout/rollout-input.ts';
import { errorDocument } from './errors/error-text.ts';
import type { LookUp } from './state-snapshot.ts';
import { waitingText } from './words/because-of.ts';
import { timeText } from './words/time-text.ts';
import { stateWord } from './words/public-words.ts';
import type {
  RolloutDocument,
  RolloutRecordDocument,
  RunDocument,
  StageDocument,
} from '../wire/documents/documents.ts';

const stageDocuments = (stages: readonly Stage[], end: Instant): readonly StageDocument[] =>
  stages.map(({ step, at }, index) => ({
    step,
    at: timeText(at),
    took_ms: between(at, stages[index + 1]?.at ?? end),
  }));

const runDocument = (of: Run, run: number | null = of.runs): RunDocument => ({
  run,
  pid: 'process' in of.actual ? of.actual.process.pid : null,
  state: stateWord(of),
  slot: shownSlot(of),
});

/** Returns the new run as a document. Before the start of this run, its number is `null`. */
const candidateDocument = ({ other, candidate }: Rollout): RunDocument =>
  runDocument(other, 'run' in other.actual ? other.runs : (candidate ?? null));

/** Returns the old and the new run. The new run is the service's second run until it replaces the old run. */
const runsOf = (service: Run, rollout: Rollout): Pick<RolloutDocument, 'old' | 'candidate'> =>
  stepOf(rollout) === 'retiring'
    ? { old: runDocument(rollout.other), candidate: runDocument(service) }
    : { old: runDocument(service), candidate: candidateDocument(rollout) };

/** Returns the rollout in progress as a document. */
export const rolloutDocument = (service: Service, now: Instant): RolloutDocument | null => {
  const { rollout } = service;
  if (rollout === undefined) return null;
  const since = stepSince(rollout);
  return {
    strategy: rollout.strategy,
    step: stepOf(rollout),
    since: timeText(since),
    step_ms: between(since, now),
    started_at: timeText(rollout.stages[0].at),
    steps: stageDocuments(rollout.stages, now),
    ...runsOf(service, rollout),
  };
};

/** Returns an ended rollout as a document, with the duration of each step in ms. */
export const rolloutRecordDocument = (record: RolloutRecord): RolloutRecordDocument => ({
  strategy: record.strategy,
  outcome: record.outcome,
  error: record.error === undefined ? null : errorDocument(record.error),
  started_at: timeText(record.stages[0].at),
  ended_at: timeText(record.ended),
  took_ms: between(record.stages[0].at, record.ended),
  steps: stageDocuments(record.stages, record.ended),
  old_run: record.old,
  candidate_run: record.candidate ?? null,
  slot: record.slot ?? null,
});

/** Returns the steps with their durations: `starting 1.9 s, watching 400 ms so far`. */
const stagesText = (stages: readonly Stage[], now: Instant): string =>
  stages
    .map(({ step, at }, index) => {
      const next = stages[index + 1]?.at;
      return `${step} ${lengthText(between(at, next ?? now))}${next === undefined ? ' so far' : ''}`;
    })
    .join(', ');

/** Returns the state of the second run in words, with the dependencies if it waits for some. */
const stateText = (service: ServiceOrRun, rollout: Rollout, byId: LookUp): string => {
  const waiting = rollout.other.actual.tag === 'waiting' ? waitingText(service, byId) : undefined;
  return waiting ?? stateWord(rollout.other);
};

const otherText = (service: ServiceOrRun, rollout: Rollout, byId: LookUp): string => {
  const { old, candidate } = runsOf(service, rollout);
  const isOld = stepOf(rollout) === 'retiring';
  const { run, pid, slot } = isOld ? old : candidate;
  const name = isOld ? 'old' : 'candidate';
  const facts = [pid === null ? undefined : `pid ${pid}`, slot === null ? undefined : `slot ${slot}`];
  const known = facts.filter((fact) => fact !== undefined);
  const number = run === null ? '' : ` run ${run}`;
  return `${name}${number} ${stateText(service, rollout, byId)}${known.length === 0 ? '' : `, ${known.join(', ')}`}`;
};

/**
 * True if the declaration of the failed rollout was withdrawn: the manifest has the old run's declaration
 * again.
 */
const isTakenBack = ({ ofChange }: RolloutRecord, { revised }: ServiceOrRun): boolean =>
  ofChange === true && revised === undefined;

/** Returns the last rollout if it failed and the failure must still be shown. */
const toldFailure = (service: ServiceOrRun): RolloutRecord | undefined => {
  const { rollouts, actual } = service;
  const last = rollouts?.at(-1);
  const isOfRun = actual.tag === 'up' && last?.old === actual.run && !isTakenBack(last, service);
  return failedRollout(service) ?? (isOfRun ? last : undefined);
};

/**
 * Returns the part of the reason that is about the rollout in progress, or about the last rollout if it
 * failed.
 */
export const rolloutReason = (
  service: ServiceOrRun,
  { now, byId }: { readonly now: Instant; readonly byId: LookUp },
): string | null => {
  const { rollout } = service;
  if (rollout !== undefined)
    return `rolling out: ${stagesText(rollout.stages, now)} (${otherText(service, rollout, byId)})`;
  const last = toldFailure(service);
  if (last?.error === undefined) return null;
  return `${last.error.code} ${lengthText(between(last.ended, now))} ago: ${errorSentence(last.error)}`;
};

/** Returns the blue/green slot of a run; `null` if its declaration has no slots. */
export const shownSlot = ({ spec, slot }: Pick<Run, 'spec' | 'slot'>): string | null =>
  spec.deployment.blueGreen === undefined ? null : (slot ?? null);
