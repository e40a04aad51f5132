// Events that a service reports about itself, and an event with the number of refused events.
import type { EffectOf } from '../../domain/effect.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, stateWord } from '../words/public-words.ts';
import type { EventContext } from './state-events.ts';

/**
 * Returns the event that a service reports. If earlier events of the service were refused, an event with
 * their number comes first.
 */
export const reportEvents = (
  { service, run, report, missed }: EffectOf<'report'>,
  { at, byId }: EventContext,
): readonly EventDocument[] => {
  const now = byId(service);
  if (now === undefined) return [];
  const word = stateWord(now);
  const about = {
    schema: 'sup.event/1',
    at: timeText(at),
    kind: 'service-event',
    project: now.spec.project,
    service: now.spec.name,
    child: null,
    from: word,
    to: word,
    health: healthWord(now),
    run,
    pid: null,
    code: null,
    because_of: [],
    rollout: null,
  } as const;
  const { text, level, data } = report;
  const own: EventDocument = { ...about, cause: 'reported', reason: text, level, data };
  if (missed === 0) return [own];
  const reason = `${missed} events were refused: more than 10 in a second`;
  return [{ ...about, cause: 'refused', code: 'ERR0409', reason, level: 'warning', data: {} }, own];
};
