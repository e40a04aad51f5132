// Events for a running service when its probes begin to fail, or pass again.
import { healthNewsOf } from '../../kernel/derived/facts.ts';
import type { Move } from '../../kernel/derived/move.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { failingText, recoveredText } from '../words/health-text.ts';
import { timeText } from '../words/time-text.ts';
import { stateWord } from '../words/words.ts';
import type { EventContext } from './context.ts';

/** One document or none. */
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
