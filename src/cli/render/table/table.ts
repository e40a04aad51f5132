// Columns that line up. The last one takes what is left of the width; what does not fit is cut with an ellipsis.
import { beginningOf, columnsOf } from '../columns.ts';
import type { Paint, Ink } from '../../../streams/views/words/paint.ts';

export interface Cell {
  readonly text: string;
  readonly ink?: Ink | undefined;
  /** Stands at the right of its column, as numbers do. */
  readonly right?: true;
}
export type Row = readonly Cell[];

const GAP = '  ';

/** The widest text of each column. */
export const widthsOf = (rows: readonly Row[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.text.length);
    });
  return widths;
};

/** At the most so many columns wide; nothing where there is no room at all. */
export const cut = (text: string, width: number): string => {
  if (columnsOf(text) <= width) return text;
  return width <= 0 ? '' : `${beginningOf(text, width - 1)}…`;
};

interface Fit {
  readonly widths: readonly number[];
  /** Absent: nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** The row, never wider than the terminal: what does not fit is cut, from the right. */
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
