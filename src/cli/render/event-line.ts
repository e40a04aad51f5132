// An event as a line for people: `2026-11-21T05:30:15.123Z shop/web running → backoff (exited with 1; attempt
// 1 of 8)`, `… shop/web is unhealthy (…)`, `… shop/web rollout: watching (…)`, `… shop/web candidate:
// starting → running (…)`.
import { shownId } from '../../streams/domain/ids.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { serviceOf } from '../read-events.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { Ink, Paint } from '../../streams/views/words/paint.ts';
import { hanging } from './paragraphs.ts';
import { STATE_INK } from './service-columns.ts';
import type { StateWord } from '../../streams/wire/documents/basic-documents.ts';

/** Colours of steps; those that only lead on have none of these. */
const ROLLOUT_INK: Readonly<Record<string, Ink>> = {
  done: 'green',
  reverting: 'red',
  withdrawing: 'red',
  failed: 'red',
  'called-off': 'yellow',
};

const painted = (word: StateWord | null, paint: Paint): string =>
  word === null ? 'left' : paint(STATE_INK[word], word);

/** Steps of a rollout in which the second run is the old one. */
const OLD_IS_SECOND: ReadonlySet<string> = new Set(['retiring', 'done']);

const secondRun = (rollout: EventDocument['rollout']): string =>
  rollout !== null && OLD_IS_SECOND.has(rollout.step) ? 'old run' : 'candidate';

/** Returns the states of the move, or only the current one if nothing moved. */
const moveText = ({ from, to }: EventDocument, paint: Paint): string =>
  `${from === null || from === to ? '' : `${from} → `}${painted(to, paint)}`;

/** Leaves out a state that did not change. */
const alsoMoved = (event: EventDocument, paint: Paint): string =>
  event.from === event.to ? '' : `, ${moveText(event, paint)}`;

const newsText = (event: EventDocument, paint: Paint): string => {
  const { kind, health, rollout } = event;
  if (kind === 'health') return `is ${paint(health === 'healthy' ? 'green' : 'red', health)}`;
  if (kind === 'run') return `${secondRun(rollout)}: ${moveText(event, paint)}`;
  if (kind !== 'rollout' || rollout === null) return moveText(event, paint);
  const slot = rollout.slot === null ? '' : ` slot ${rollout.slot}`;
  return `rollout: ${paint(ROLLOUT_INK[rollout.step] ?? 'cyan', rollout.step)}${slot}${alsoMoved(event, paint)}`;
};

interface EventLook {
  readonly paint: Paint;
  /** Width of the terminal; absent in a pipe, where no line is broken. */
  readonly columns: number | undefined;
}

/** Returns one line, and on a narrow terminal its continuation, indented. */
export const eventLines = (event: EventDocument, { paint, columns }: EventLook): readonly string[] => {
  const { at, pid, reason, code } = event;
  const service = serviceOf(event);
  const { child } = event;
  const who = service === undefined ? 'supervisor' : shownId(service);
  const facts = [pid === null ? undefined : `pid ${pid}`, code ?? undefined, reason ?? undefined]
    .filter((fact) => fact !== undefined)
    .map(shownLine);
  const tail = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const text = `${who}${child === null ? '' : ` child:${shownLine(child)}`} ${newsText(event, paint)}${tail}`;
  const lines = hanging(`${at} `, text, columns);
  return lines.map((line, index) => (index === 0 ? paint('dim', at) + line.slice(at.length) : line));
};
