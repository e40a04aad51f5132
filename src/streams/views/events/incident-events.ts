// Events without a state change: direct acts of a user (`sup kill`, `sup reload`), and probes of a running
// service that began to fail or passed again.
import { healthNewsOf } from '../../kernel/derived/move-facts.ts';
import type { Move } from '../../kernel/derived/service-move.ts';
import type { EventContext } from './state-events.ts';
import { actText, failingText, recoveredText } from '../words/incident-text.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, stateWord } from '../words/public-words.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';

/** Returns the event for what a user did directly to a process, if anything. */
export const actEvents = ({ after, input }: Move, { at }: EventContext): readonly EventDocument[] => {
  if (input.type !== 'acted') return [];
  const { actual, spec, runs } = after;
  const word = stateWord(after);
  return [
    {
      schema: 'sup.event/1',
      at: timeText(at),
      kind: 'act',
      project: spec.project,
      service: spec.name,
      child: null,
      from: word,
      to: word,
      health: healthWord(after),
      run: runs,
      pid: 'process' in actual ? actual.process.pid : null,
      cause: input.type,
      reason: actText(input.act),
      code: null,
      because_of: [],
      rollout: null,
    },
  ];
};

/** Returns the event for a change between healthy and unhealthy, if any. */
export const healthEvents = (move: Move, { at }: EventContext): readonly EventDocument[] => {
  const news = healthNewsOf(move);
  if (news === undefined) return [];
  const { after, input } = move;
  const { health, error } = news.is.health;
  const word = stateWord(after);
  return [
    {
      schema: 'sup.event/1',
      at: timeText(at),
      kind: 'health',
      project: after.spec.project,
      service: after.spec.name,
      child: null,
      from: word,
      to: word,
      health,
      run: after.runs,
      pid: news.is.process.pid,
      cause: input.type,
      reason: error === undefined ? recoveredText(news.was.health, at) : failingOf(news.is.health, after),
      code: error?.code ?? null,
      because_of: [],
      rollout: null,
    },
  ];
};

const failingOf = (...about: Parameters<typeof failingText>): string | null => failingText(...about) ?? null;
