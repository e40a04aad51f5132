// One line per change of a service's state: progress in a pipe.
import type { Change } from '../../watch/live-model.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { STATE_INK } from '../table/service-columns.ts';

/** Returns `shop/web starting → running`, with health, process and reason if they are known. */
export const changeLine = ({ id, service, from }: Change, paint: Paint): string => {
  const { state, health, pid, reason } = service;
  const move = from === undefined || from === state ? '' : `${from} → `;
  const facts = [
    health === 'unknown' ? undefined : health,
    pid === null ? undefined : `pid ${pid}`,
    reason ?? undefined,
  ].filter((fact) => fact !== undefined);
  const tail = facts.length === 0 ? '' : ` (${shownLine(facts.join(', '))})`;
  return `${id.replace(/^__loose__\//, '')} ${move}${paint(STATE_INK[state], state)}${tail}`;
};
