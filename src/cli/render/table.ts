// Columns that line up. The last one takes what is left of the width, and is cut with an ellipsis where there is one.
import type { Paint, Ink } from './paint.ts';

export interface Cell {
  readonly text: string;
  readonly ink?: Ink | undefined;
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

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

export interface Fit {
  readonly widths: readonly number[];
  /** Absent: nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

export const lineOf = (row: Row, { widths, columns, paint }: Fit): string => {
  const last = row.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = columns === undefined ? Infinity : Math.max(8, columns - before);
  const cells = row.map(({ text, ink }, column) => {
    const shown = column === last ? cut(text, room) : text;
    const padding = column === last ? '' : ' '.repeat(Math.max(0, (widths[column] ?? 0) - shown.length));
    return (ink === undefined ? shown : paint(ink, shown)) + padding;
  });
  return cells.join(GAP).trimEnd();
};
