// Events about services that did not change their state:
// - a user acted directly on a process (`sup kill`, `sup reload`),
// - probes of a running service began to fail, or passed again,
// - a scheduled time got no run at once,
// - something failed that does not affect the state.
// Rules: `docs/behaviour.md`, "Watched files".
import { shownHealth } from '../../domain/service/service-state.ts';
import { healthNewsOf } from '../../kernel/after-step/state-change-facts.ts';
import type { Move, RunMove } from '../../kernel/after-step/state-change.ts';
import type { Incident } from '../../domain/service/history-facts.ts';
import type { CronRun, Run, Schedule } from '../../domain/service/service-run.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventContext } from './state-events.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import { actText, changedText, failingText, recoveredText } from '../words/incident-text.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, stateWord } from '../words/public-words.ts';
import { lateBeginText, queuedText, skippedTickText } from '../words/schedule-text.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';

type Own = Pick<EventDocument, 'kind' | 'reason'> & Partial<Pick<EventDocument, 'pid' | 'health' | 'code'>>;

/** Returns an event about a service that did not change its state: `from` and `to` are equal. */
const eventOf = ({ after, input }: RunMove, at: Instant, own: Own): EventDocument => {
  const { actual, spec, runs } = after;
  const word = stateWord(after);
  return {
    schema: 'sup.event/1',
    at: timeText(at),
    kind: own.kind,
    project: spec.project,
    service: spec.name,
    child: null,
    from: word,
    to: word,
    health: own.health ?? healthWord(after),
    run: runs,
    pid: own.pid ?? ('process' in actual ? actual.process.pid : null),
    cause: input.type,
    reason: own.reason,
    code: own.code ?? null,
    because_of: [],
    rollout: null,
  };
};

/** Returns the event for a direct act of a user on a process; an empty list if the move is no such act. */
export const actEvents = (move: Move, { at }: EventContext): readonly EventDocument[] =>
  move.input.type === 'acted' ? [eventOf(move, at, { kind: 'act', reason: actText(move.input.act) })] : [];

/** Returns the event if the health changed between healthy and unhealthy; otherwise an empty list. */
export const healthEvents = (move: Move, { at }: EventContext): readonly EventDocument[] => {
  const news = healthNewsOf(move);
  if (news === undefined) return [];
  const { health, error } = shownHealth(news.is);
  const reason =
    error === undefined
      ? recoveredText(shownHealth(news.was), at)
      : failingOf(shownHealth(news.is), move.after);
  return [
    eventOf(move, at, {
      kind: 'health',
      health,
      pid: news.is.process.pid,
      reason,
      code: error?.code ?? null,
    }),
  ];
};

const failingOf = (...about: Parameters<typeof failingText>): string | null => failingText(...about) ?? null;

/**
 * Returns what happened to a scheduled time that got no run at once. It was skipped, or it was queued, or its
 * run begins late. If several times are skipped during one run, only the first one is reported.
 */
const tickText = ({ before: { schedule: was }, after: { schedule: is } }: Move): string | undefined =>
  was.rung === undefined && is.rungBy === 'queued' ? queuedText(is) : newRunText(is, was.runs.at(-1));

/** Returns a text about the newest entry of the schedule, if this move added it. */
const newRunText = (schedule: Schedule, previous: CronRun | undefined): string | undefined => {
  const last = schedule.runs.at(-1);
  if (last === undefined || last === previous) return undefined;
  if (last.result === 'running') return lateBeginText(last);
  return previous?.result === 'overlap' ? undefined : skippedTickText(schedule);
};

/** Returns the event for a scheduled time that got no run at once. */
export const scheduleEvents = (move: Move, { at }: EventContext): readonly EventDocument[] => {
  const reason = tickText(move);
  return reason === undefined ? [] : [eventOf(move, at, { kind: 'schedule', reason })];
};

/** Returns the incident that this move added to the run, if it added one. */
const addedIncident = ({ incidents: old }: Run, { incidents: fresh }: Run): Incident | undefined =>
  fresh === old ? undefined : fresh?.at(-1);

/** Returns the event for a changed file, or for a failure that does not affect the state (`stop_command`). */
export const warningEvents = (move: RunMove, { at }: EventContext): readonly EventDocument[] => {
  const incident = addedIncident(move.before, move.after);
  if (incident === undefined) return [];
  if ('changed' in incident.facts)
    return [eventOf(move, at, { kind: 'watch', reason: changedText(incident.facts) })];
  if (!('error' in incident.facts)) return [];
  const { error } = incident.facts;
  return [eventOf(move, at, { kind: 'warning', reason: errorSentence(error), code: error.code })];
};
