// Aligned columns. The last one takes the rest of the width; text that does not fit is cut with an ellipsis.
import { beginningOf, columnsOf } from '../columns.ts';
import type { Paint, Ink } from '../../../streams/views/words/paint.ts';

export interface Cell {
  readonly text: string;
  readonly ink?: Ink | undefined;
  /** Aligned to the right of its column, as numbers are. */
  readonly right?: true;
}
export type Row = readonly Cell[];

const GAP = '  ';

/** Returns the widest text of each column. */
export const widthsOf = (rows: readonly Row[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.text.length);
    });
  return widths;
};

/** Returns the text cut to at most `width` columns; nothing if there is no room. */
export const cut = (text: string, width: number): string => {
  if (columnsOf(text) <= width) return text;
  return width <= 0 ? '' : `${beginningOf(text, width - 1)}…`;
};

interface Fit {
  readonly widths: readonly number[];
  /** If absent, nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** Returns the row, never wider than the terminal: text that does not fit is cut, from the right. */
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
