// An event as a line for people: `2026-11-21T05:30:15.123Z shop/web running → backoff (exited with 1; attempt 1 of 8)`.
import { shownId } from '../../streams/domain/ids.ts';
import type { StateWord } from '../../streams/wire/documents.ts';
import type { EventDocument } from '../../streams/wire/event-document.ts';
import { serviceOf } from '../events/read.ts';
import { oneLine, type Paint } from './paint.ts';
import { STATE_INK } from './table/service-columns.ts';

const painted = (word: StateWord | null, paint: Paint): string =>
  word === null ? 'left' : paint(STATE_INK[word], word);

export const eventLine = (event: EventDocument, paint: Paint): string => {
  const { at, from, to, pid, reason, code } = event;
  const service = serviceOf(event);
  const { child } = event;
  const who = service === undefined ? 'supervisor' : shownId(service);
  const facts = [pid === null ? undefined : `pid ${pid}`, code ?? undefined, reason ?? undefined]
    .filter((fact) => fact !== undefined)
    .map(oneLine);
  const tail = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const move = `${from === null ? '' : `${from} → `}${painted(to, paint)}`;
  return `${paint('dim', at)} ${who}${child === null ? '' : ` child:${oneLine(child)}`} ${move}${tail}`;
};
