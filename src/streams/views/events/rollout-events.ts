// Events of a rollout: the begin of each step with its cause, the end of the rollout, and the state changes
// of its second run.
import { endOf } from '../../rollout/inputs-from-runs.ts';
import { reachedStep, stepOf } from '../../rollout/rollout-input.ts';
import { DONE_WORDS, STEP_WORDS, type RolloutRecord } from '../../domain/service/rollout.ts';
import type { ServiceError } from '../../domain/errors/error.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Service } from '../../domain/service/service.ts';
import { between, lengthText } from '../../domain/time.ts';
import type { RunMove, Turn } from '../../kernel/after-step/state-change.ts';
import type { EventDocument, EventRollout } from '../../wire/documents/event-document.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, stateWord } from '../words/public-words.ts';
import { shownSlot } from '../rollout-document.ts';
import { type EventContext, stateEvents } from './state-events.ts';

/**
 * Returns the present step of the rollout in progress. If no rollout is in progress, returns the result of
 * the last rollout.
 */
const rolloutNow = (service: Service | undefined): EventRollout | null => {
  if (service === undefined) return null;
  const { rollout, rollouts } = service;
  if (rollout !== undefined)
    return { strategy: rollout.strategy, step: stepOf(rollout), slot: shownSlot(rollout.other) };
  const last = rollouts?.at(-1);
  return last === undefined
    ? null
    : { strategy: last.strategy, step: last.outcome, slot: shownSlot(service) };
};

const endReason = ({ outcome, error, stages, ended }: RolloutRecord): string => {
  const length = lengthText(between(stages[0].at, ended));
  if (outcome === 'done') return `the new run has taken the place of the old one, after ${length}`;
  return error === undefined ? `called off after ${length}; the old run stays` : errorSentence(error);
};

/** Returns a text about the step that begins. If the previous step succeeded, the text says this first. */
const stepReason = ({ before, after }: Turn): string | null => {
  const [was, is] = [before.rollout, after.rollout];
  if (is === undefined) {
    const last = after.rollouts?.at(-1);
    return last === undefined ? null : endReason(last);
  }
  const step = stepOf(is);
  const isForth = was !== undefined && reachedStep(is) === step;
  return isForth ? `${DONE_WORDS[stepOf(was)]}; ${STEP_WORDS[step]}` : STEP_WORDS[step];
};

interface Candidate {
  readonly run: number | null;
  readonly pid: number | null;
}

const runOf = ({ runs, actual }: Run): Candidate => ({
  run: 'run' in actual ? runs : null,
  pid: 'process' in actual ? actual.process.pid : null,
});

/** Returns the new run of a rollout in progress, or of the last rollout. */
const candidateOf = ({ rollout, rollouts, ...service }: Service): Candidate => {
  if (rollout !== undefined) return runOf(stepOf(rollout) === 'retiring' ? service : rollout.other);
  const last = rollouts?.at(-1);
  return last?.outcome === 'done' ? runOf(service) : { run: last?.candidate ?? null, pid: null };
};

const errorOf = ({ rollout, rollouts }: Service): ServiceError | undefined => {
  if (rollout === undefined) return rollouts?.at(-1)?.error;
  return rollout.undoing?.tag === 'failed' ? rollout.undoing.error : undefined;
};

/**
 * Returns the event for a step of a rollout. `from` and `to` differ only if this event is also the end of the
 * old run.
 */
export const rolloutEvent = (turn: Turn, { at }: EventContext): EventDocument => {
  const { before, after } = turn;
  return {
    schema: 'sup.event/1',
    at: timeText(at),
    kind: 'rollout',
    project: after.spec.project,
    service: after.spec.name,
    child: null,
    from: stateWord(before),
    to: stateWord(after),
    health: healthWord(after),
    ...candidateOf(after),
    cause: 'rollout',
    reason: stepReason(turn),
    code: errorOf(after)?.code ?? null,
    because_of: [],
    rollout: rolloutNow(after),
    ...(before.rollout === undefined && after.askedBy !== undefined && { origin: after.askedBy }),
  };
};

/** The states which mean that a second run failed, because a second run is never restarted. */
const GIVEN_UP: ReadonlySet<EventDocument['to']> = new Set(['backoff', 'breaker-open']);

const wordOf = <W extends EventDocument['to']>(word: W): W | 'failed' =>
  GIVEN_UP.has(word) ? 'failed' : word;

/** Returns the reason and the error code of a failed second run, without a text about the next attempt. */
const endFacts = ({ after }: RunMove, { to }: EventDocument): Partial<EventDocument> => {
  const over = GIVEN_UP.has(to) ? endOf(after) : undefined;
  if (over === undefined || !('error' in over)) return {};
  return { reason: errorSentence(over.error), code: over.error.code };
};

/** Returns the events of the second run of a rollout: it begins, becomes ready, ends. */
export const runEvents = (move: RunMove, context: EventContext): readonly EventDocument[] =>
  stateEvents(move, context).map((event) => ({
    ...event,
    ...endFacts(move, event),
    kind: 'run',
    from: wordOf(event.from),
    to: wordOf(event.to),
    rollout: rolloutNow(context.byId(move.after.spec.id)),
  }));
