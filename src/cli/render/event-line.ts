// Formats an event as a line, for example:
// - `2026-11-21T05:30:15.123Z shop/web running → backoff (exited with 1; attempt 1 of 8)`
// - `… shop/web rollout: watching (…)`
// - `… shop/web candidate: starting → running (…)`
import { shownId } from '../../streams/domain/ids.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { serviceOf } from '../../sources/logs/read-events.ts';
import { byText } from '../../streams/views/words/cause-text.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { Ink, Paint } from '../../streams/views/words/paint.ts';
import { hanging } from './paragraphs.ts';
import { STATE_INK } from './service-columns.ts';
import type { StateWord } from '../../streams/wire/documents/basic-documents.ts';

/** Colours of the rollout steps that end or revert a rollout. All other steps are cyan. */
const ROLLOUT_INK: Readonly<Record<string, Ink>> = {
  done: 'green',
  reverting: 'red',
  withdrawing: 'red',
  failed: 'red',
  'called-off': 'yellow',
};

const painted = (word: StateWord | null, paint: Paint): string =>
  word === null ? 'left' : paint(STATE_INK[word], word);

/**
 * Rollout steps in which the second run is the old run. In all other steps the second run is the candidate.
 */
const OLD_IS_SECOND: ReadonlySet<string> = new Set(['retiring', 'done']);

const secondRun = (rollout: EventDocument['rollout']): string =>
  rollout !== null && OLD_IS_SECOND.has(rollout.step) ? 'old run' : 'candidate';

/** Returns a text such as `starting → running`, or only the current state if it is unchanged. */
const moveText = ({ from, to }: EventDocument, paint: Paint): string =>
  `${from === null || from === to ? '' : `${from} → `}${painted(to, paint)}`;

/** Returns the state change as an addition after a comma; empty if the state is unchanged. */
const alsoMoved = (event: EventDocument, paint: Paint): string =>
  event.from === event.to ? '' : `, ${moveText(event, paint)}`;

const rolloutText = (event: EventDocument, paint: Paint): string => {
  const { rollout } = event;
  if (rollout === null) return moveText(event, paint);
  const slot = rollout.slot === null ? '' : ` slot ${rollout.slot}`;
  return `rollout: ${paint(ROLLOUT_INK[rollout.step] ?? 'cyan', rollout.step)}${slot}${alsoMoved(event, paint)}`;
};

const newsText = (event: EventDocument, paint: Paint): string => {
  const { kind, health, rollout } = event;
  switch (kind) {
    case 'health':
      return `is ${paint(health === 'healthy' ? 'green' : 'red', health)}`;
    case 'service-event':
      return event.level === 'warning' ? paint('yellow', 'event') : 'event';
    case 'alert':
      return paint(event.code === null ? 'cyan' : 'red', 'alert');
    case 'command':
      return event.code === null ? 'command' : paint('red', 'command');
    case 'watch':
      return 'watch';
    case 'warning':
      return paint('yellow', 'warning');
    case 'run':
      return `${secondRun(rollout)}: ${moveText(event, paint)}`;
    case 'rollout':
      return rolloutText(event, paint);
    default:
      return moveText(event, paint);
  }
};

const factsOf = ({ pid, code, reason, origin }: EventDocument): readonly string[] => {
  const by = byText(origin).trim();
  const isSaid = reason?.includes(by) === true;
  return [pid === null ? [] : `pid ${pid}`, code ?? [], reason ?? [], by === '' || isSaid ? [] : by].flat();
};

interface EventLook {
  readonly paint: Paint;
  /**
   * Width of the terminal; `undefined` if the output is no terminal. Without a width, lines are not wrapped.
   */
  readonly columns: number | undefined;
  /** Returns the text to print for an ISO time. Without this function the ISO time itself is printed. */
  readonly timeText?: (at: string) => string;
}

/** Returns the event as one line; on a narrow terminal, with indented continuation lines. */
export const eventLines = (
  event: EventDocument,
  { paint, columns, timeText = (at) => at }: EventLook,
): readonly string[] => {
  const at = timeText(event.at);
  const service = serviceOf(event);
  const { child } = event;
  const subject = service === undefined ? 'supervisor' : shownId(service);
  const data = Object.entries(event.data ?? {}).map(([key, value]) => `${key}=${value}`);
  const facts = [...factsOf(event), ...data].map(shownLine);
  const tail = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const text = `${subject}${child === null ? '' : ` child:${shownLine(child)}`} ${newsText(event, paint)}${tail}`;
  const lines = hanging(`${at} `, text, columns);
  return lines.map((line, index) => (index === 0 ? paint('dim', at) + line.slice(at.length) : line));
};
