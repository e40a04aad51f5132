// Formats services as a table, one line each. Columns that do not fit are dropped, long reasons are cut.
import { cut, fitColumns, lineOf, type Row, widthsOf } from './text-table.ts';
import type { Paint } from '../../streams/views/words/paint.ts';
import { COLUMNS, type ShownService } from './service-columns.ts';

export interface TableLook {
  readonly paint: Paint;
  /**
   * Width of the terminal; `undefined` if the output is no terminal. Without a width, nothing is cut or
   * dropped.
   */
  readonly columns: number | undefined;
  readonly now: number;
}

interface ServiceTable {
  readonly heading: string;
  /** One row for each given service, in the order in which they were given. */
  readonly rows: readonly string[];
}

/** Minimum width of the reason, in columns. A shorter text would say too little. */
const REASON_ROOM = 16;
/**
 * Minimum width of a name. In a table that is too wide, names are shortened to this width before the reasons
 * are shortened.
 */
const NAME_ROOM = 16;

const HEADING: Row = COLUMNS.map(({ title, right }) => ({
  text: title,
  ink: 'dim',
  ...(right && { right }),
}));

const rowOf = (shown: ShownService, now: number): Row =>
  COLUMNS.map(({ cell, right }) => ({ ...cell(shown, now), ...(right && { right }) }));

/** True if this column has no value, or only zeros, in all rows. */
const isEmpty = (rows: readonly Row[], column: number): boolean =>
  rows.every((row) => ['-', '', '0'].includes(row[column]?.text ?? ''));

interface Measured {
  readonly rows: readonly Row[];
  readonly widths: readonly number[];
  readonly columns: number | undefined;
}

/** Returns the width that the table has if nothing is cut. */
const widthOf = (widths: readonly number[]): number =>
  widths.reduce((all, width) => (width === 0 ? all : all + width + 2), -2);

/**
 * Returns the rank of each column; -1 for a column to drop. A column without any text is always dropped. If
 * the table is too wide, a column that has only `-` or zeros is dropped too.
 */
const ranksOf = ({ rows, widths, columns = Infinity }: Measured): readonly number[] => {
  const isNarrow = rows.length > 0 && widthOf(widths) > columns;
  return COLUMNS.map(({ rank }, column) => {
    const wastes = isNarrow && rank !== Infinity && isEmpty(rows, column);
    return widths[column] === 0 || wastes ? -1 : rank;
  });
};

const shrunkName = (widths: readonly number[], columns: number): readonly number[] => {
  const [name = 0, ...others] = widths;
  const rest = others.slice(0, -1).reduce((all, width) => all + width + 2, 2);
  const room = columns - rest - Math.min(REASON_ROOM, others.at(-1) ?? 0);
  return [Math.min(name, Math.max(NAME_ROOM, room)), ...others];
};

const withName = ([name, ...others]: Row, width: number): Row =>
  name === undefined ? others : [{ ...name, text: cut(name.text, width) }, ...others];

export const serviceTable = (services: readonly ShownService[], look: TableLook): ServiceTable => {
  const { columns, paint, now } = look;
  const rows = services.map((service) => rowOf(service, now));
  const widths = widthsOf([HEADING, ...rows]);
  const lastRoom = Math.min(REASON_ROOM, widths.at(-1) ?? 0);
  const empty = ranksOf({ rows, widths, columns });
  const shown = fitColumns({ widths, ranks: empty, lastRoom, columns }).filter(
    (column) => (empty[column] ?? 0) >= 0,
  );
  const chosen = (row: Row): Row => shown.flatMap((column) => row[column] ?? []);
  const kept = shown.map((column) => widths[column] ?? 0);
  const fitted = columns === undefined ? kept : shrunkName(kept, columns);
  const line = (row: Row): string =>
    lineOf(withName(chosen(row), fitted[0] ?? 0), { widths: fitted, columns, paint });
  return { heading: line(HEADING), rows: rows.map(line) };
};
