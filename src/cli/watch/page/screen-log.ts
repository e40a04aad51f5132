// The pane with the logs of the selected row.
import { colouredOutput, shownOutput } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';
import { shownName } from '../../../client/live-model.ts';
import { bottomOf, foundIn, lastLine, type LogPane } from '../model/log-pane.ts';
import type { Scene } from '../model/scene.ts';
import { clockText } from './clock-text.ts';
import { colouredRows, cutColoured } from './coloured-rows.ts';

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const searchText = ({ search, hits, hit }: LogPane): string => {
  const at = hit === undefined ? 0 : hits.indexOf(hit) + 1;
  return hits.length === 0 ? `no line has "${search}"` : `"${search}": line ${at} of ${hits.length}`;
};

/** Returns the title: the row, whether new lines are followed, and the result of the search. */
export const logTitle = ({ log, typing }: Scene): string => {
  const below = lastLine(log) - bottomOf(log);
  return [
    `LOGS ${shownName(log.of ?? '')}`,
    log.bottom === undefined ? 'following' : `paused, ${plural(below, 'line')} below`,
    ...(log.search === '' || typing === 'search' ? [] : [searchText(log)]),
  ].join('  ');
};

/**
 * Returns the text with the matches highlighted. Removes other colours, so that the matches are clearly
 * visible.
 */
const withHits = (text: string, search: string, paint: Paint): string => {
  const found = foundIn(text, search);
  const parts = found.map(([from, to], at) => {
    const before = text.slice(found[at - 1]?.[1] ?? 0, from);
    return before + paint('reverse', text.slice(from, to));
  });
  return parts.join('') + text.slice(found.at(-1)?.[1] ?? 0);
};

interface Look {
  readonly paint: Paint;
  readonly now: number;
  readonly columns: number;
  /** True if colours may be printed at all. */
  readonly isColoured: boolean;
}

/**
 * Maximum number of characters of a line that are read for each column. It is more than 1, because colour
 * codes have no width.
 */
const CHARACTERS_A_COLUMN = 20;

const textOf = ({ text }: LogEntry, log: LogPane, { paint, columns, isColoured }: Look): string => {
  const { search, wraps } = log;
  const line = (wraps ? text : text.slice(0, columns * CHARACTERS_A_COLUMN)).replaceAll('\t', '  ');
  const plain = shownOutput(line);
  if (foundIn(plain, search).length > 0) return withHits(plain, search, paint);
  return isColoured ? colouredOutput(line) : plain;
};

/**
 * Returns the rows of a line: a mark if the line has the current match of the search, its time, and its text.
 */
const rowsOf = (log: LogPane, line: number, look: Look): readonly string[] => {
  const entry = log.entries[line - log.first];
  if (entry === undefined) return [];
  const mark = log.search === '' ? '' : line === log.hit ? '> ' : '  ';
  const time = entry.at === '' ? '' : `${clockText(entry.at, look.now)} `;
  const head = mark + time;
  const room = look.columns - head.length;
  if (room < 1) return [head.slice(0, look.columns)];
  const text = textOf(entry, log, look);
  const rows = log.wraps ? colouredRows(text, room) : [cutColoured(text, room)];
  return rows.map((row, at) =>
    at === 0 ? mark + look.paint('dim', time) + row : ' '.repeat(head.length) + row,
  );
};

/** Returns the rows of the pane: as many lines as fit, of which the last is the line at the bottom. */
export const logRows = (
  { log, now, size: { columns } }: Scene,
  paint: Paint,
  rows: number,
): readonly string[] => {
  if (log.entries.length === 0) return [log.isRead ? 'nothing was printed yet' : 'reading …'];
  const look = { paint, now, columns, isColoured: paint('bold', 'x') !== 'x' };
  let shown: readonly string[] = [];
  for (let line = bottomOf(log); line >= log.first && shown.length < rows; line -= 1)
    shown = [...rowsOf(log, line, look), ...shown];
  // If the lines up to `bottomOf` do not fill the pane, later lines are shown too.
  for (let line = bottomOf(log) + 1; line <= lastLine(log) && shown.length < rows; line += 1)
    shown = [...shown, ...rowsOf(log, line, look)].slice(0, rows);
  return rows === 0 ? [] : shown.slice(-rows);
};
