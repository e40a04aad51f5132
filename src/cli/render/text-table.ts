// Aligned columns on a terminal. East Asian letters and pictographs are two columns wide, combining marks 0.
// On a narrow terminal the least important columns are dropped (`docs/commands.md`, "status").
import type { Ink, Paint } from '../../streams/views/words/paint.ts';

// eslint-disable-next-line no-control-regex -- plain text is what has no such characters
const PLAIN = /^[\u0000-\u02ff…→─-▟]*$/;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
const OVER_ANOTHER = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200d]|\ufe0f)$/u;

const widthOf = (character: string): number => {
  if (PLAIN.test(character)) return 1;
  if (OVER_ANOTHER.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

export const columnsOf = (text: string): number => {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
};

/** Returns the longest beginning that fits into `columns`, without splitting a wide character. */
export const beginningOf = (text: string, columns: number): string => {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, columns));
  let [taken, room] = ['', columns];
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0) break;
    taken += character;
  }
  return taken;
};

export interface TableCell {
  readonly text: string;
  readonly ink?: Ink | undefined;
  /** True for a right-aligned cell, such as a number. */
  readonly right?: true;
}
export type Row = readonly TableCell[];

const GAP = '  ';

/** Returns the width of each column: the width of its longest text. */
export const widthsOf = (rows: readonly Row[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.text.length);
    });
  return widths;
};

/** Returns the text. A text wider than `width` columns is shortened to this width and ends with `…`. */
export const cut = (text: string, width: number): string => {
  if (columnsOf(text) <= width) return text;
  return width <= 0 ? '' : `${beginningOf(text, width - 1)}…`;
};

interface Fit {
  readonly widths: readonly number[];
  /** Width of the terminal; if it is `undefined`, nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** Returns the row as a line that fits the terminal; the last cells are cut first. */
export const lineOf = (row: Row, { widths, columns = Infinity, paint }: Fit): string => {
  let room = columns;
  const cells = row.map(({ text, ink, right }, column) => {
    const placed = right === true ? text.padStart(widths[column] ?? 0) : text;
    const shown = room > 0 ? cut(placed, room) : '';
    const isLast = column === row.length - 1;
    const padded = isLast ? shown : shown.padEnd(Math.min(widths[column] ?? 0, Math.max(0, room)));
    const gap = isLast ? '' : GAP.slice(0, Math.max(0, room - padded.length));
    room -= padded.length + gap.length;
    return (ink === undefined ? shown : paint(ink, shown)) + padded.slice(shown.length) + gap;
  });
  return cells.join('').trimEnd();
};

interface Fitting {
  readonly widths: readonly number[];
  /**
   * Importance of each column. The column with the lowest rank is dropped first, a column with `Infinity`
   * never.
   */
  readonly ranks: readonly number[];
  /** Minimum width of the last column. */
  readonly lastRoom: number;
  /** Width of the terminal; if it is `undefined`, no column is dropped. */
  readonly columns: number | undefined;
}

const GAP_COLUMNS = 2;

const needed = (shown: readonly number[], { widths, lastRoom }: Fitting): number => {
  const room = shown.reduce((all, column) => all + (widths[column] ?? 0) + GAP_COLUMNS, 0);
  return room - (widths[shown.at(-1) ?? 0] ?? 0) - GAP_COLUMNS + lastRoom;
};

const withoutLowest = (shown: readonly number[], { ranks }: Fitting): readonly number[] => {
  const lowest = Math.min(...shown.map((column) => ranks[column] ?? Infinity));
  return shown.filter((column) => (ranks[column] ?? Infinity) > lowest);
};

/** Returns the indices of the columns that fit, in order. */
export const fitColumns = (fitting: Fitting): readonly number[] => {
  const { columns = Infinity, ranks } = fitting;
  let shown: readonly number[] = ranks.map((_, column) => column);
  while (needed(shown, fitting) > columns) {
    if (shown.every((column) => ranks[column] === Infinity)) break;
    shown = withoutLowest(shown, fitting);
  }
  return shown;
};
