// Acts of the user on the main process of a service, outside the supervisor: `sup kill`, `sup reload`.
import type { Move } from '../../kernel/derived/move.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { actText } from '../words/incident-text.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, stateWord } from '../words/words.ts';
import type { EventContext } from './context.ts';

/** One document or none. */
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
