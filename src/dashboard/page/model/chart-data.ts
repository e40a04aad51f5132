// Turns samples into the columns of a chart: times in seconds, mean values and greatest values.
import type { PointDocument, SpreadDocument } from '../../../streams/wire/documents/documents.ts';

export interface ChartData {
  readonly times: readonly number[];
  readonly means: readonly (number | null)[];
  readonly greatest: readonly (number | null)[];
}

/**
 * The greatest distance of two points that the line connects, as a multiple of the usual distance. Between
 * points that are further apart the line has a gap.
 */
const GAP = 3;

const usualDistance = (times: readonly number[]): number => {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return distances.sort((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0;
};

interface Row {
  readonly time: number;
  readonly spread: SpreadDocument | null;
}

/** Inserts a row without values where the line must have a gap. */
const withGaps = (rows: readonly Row[]): readonly Row[] => {
  const usual = usualDistance(rows.map(({ time }) => time));
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    const isGap = next !== undefined && next.time - row.time > GAP * usual;
    return isGap ? [row, { time: row.time + usual, spread: null }] : [row];
  });
};

export const chartData = (
  points: readonly PointDocument[],
  valueOf: (point: PointDocument) => SpreadDocument | null,
): ChartData => {
  const rows = withGaps(
    points.map((point) => ({ time: Date.parse(point.at) / 1_000, spread: valueOf(point) })),
  );
  return {
    times: rows.map(({ time }) => time),
    means: rows.map(({ spread }) => spread?.mean ?? null),
    greatest: rows.map(({ spread }) => spread?.max ?? null),
  };
};

/** Returns a text such as `mean 3.1 %, at most 20.0 %`, or `no samples`. */
export const chartSummary = ({ means, greatest }: ChartData, words: (value: number) => string): string => {
  const known = means.filter((value) => value !== null);
  if (known.length === 0) return 'no samples';
  const mean = known.reduce((all, value) => all + value, 0) / known.length;
  return `mean ${words(mean)}, at most ${words(Math.max(...greatest.map((value) => value ?? 0)))}`;
};
