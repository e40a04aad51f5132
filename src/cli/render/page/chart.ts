// Charts of the CPU and memory use of a service over a time window, drawn with characters.
import { plot } from 'asciichart';
import type { PointDocument, SamplesDocument } from '../../../streams/wire/documents/documents.ts';
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';

interface ChartLook {
  readonly paint: Paint;
  /** Width of the terminal; `undefined` if the output is no terminal. */
  readonly columns: number | undefined;
}

const HEIGHT = 6;
const LABEL_WIDTH = 10;
/** Columns to the left of the chart: margin, labels and axis. */
const MARGIN = 4 + LABEL_WIDTH + 4;
const USUAL_COLUMNS = 80;
const MIN_COLUMNS = 10;
const MOST_COLUMNS = 200;

type Amount = (
  point: PointDocument,
) => { readonly min: number; readonly mean: number; readonly max: number } | null;

/**
 * Returns, for each column of the chart, the mean of its samples. A column without samples has the value of
 * the column before it, or NaN in a long gap.
 */
const columnsOf = (
  { since, until, points }: SamplesDocument,
  amountOf: Amount,
  width: number,
): readonly number[] => {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  const sums = Array.from({ length: width }, () => ({ sum: 0, count: 0 }));
  for (const point of points) {
    const amount = amountOf(point);
    const place = Math.floor(((Date.parse(point.at) - begin) / Math.max(1, end - begin)) * width);
    const cell = sums[Math.min(width - 1, Math.max(0, place))];
    if (cell === undefined || amount === null) continue;
    cell.sum += amount.mean * point.samples;
    cell.count += point.samples;
  }
  return bridged(sums.map(({ sum, count }) => (count === 0 ? NaN : sum / count)));
};

/** Returns the median distance between neighbouring columns with samples, in columns. */
const usualDistance = (means: readonly number[]): number => {
  const known = means.flatMap((mean, at) => (Number.isNaN(mean) ? [] : [at]));
  const distances = known.slice(1).map((at, index) => at - (known[index] ?? at));
  return distances.toSorted((x, y) => x - y)[Math.floor(distances.length / 2)] ?? 1;
};

/** Fills a column without samples with the value before it, unless the gap is long. */
const bridged = (means: readonly number[]): readonly number[] => {
  const reach = Math.ceil(usualDistance(means) * 1.5);
  return means.map((mean, at) =>
    Number.isNaN(mean)
      ? (means.slice(Math.max(0, at - reach + 1), at).findLast((before) => !Number.isNaN(before)) ?? NaN)
      : mean,
  );
};

/**
 * Replaces missing values by the value before them, because the chart library needs a value in each column.
 * `withGaps` later erases these columns of the drawn chart.
 */
const held = (means: readonly number[]): readonly number[] => {
  let before = 0;
  return means.map((mean) => (before = Number.isNaN(mean) ? before : mean));
};

/** Width of labels and axis in a line that the chart library draws, columns. */
const AXIS_WIDTH = LABEL_WIDTH + 2;

const withGaps = (line: string, means: readonly number[]): string =>
  line.slice(0, AXIS_WIDTH) +
  Array.from(line.slice(AXIS_WIDTH), (drawn, at) => (Number.isNaN(means[at]) ? ' ' : drawn)).join('');

interface Chart {
  readonly title: string;
  readonly amountOf: Amount;
  readonly text: (amount: number) => string;
  /**
   * Minimum of the value at the top of the scale. Without it, very small values would fill the whole chart.
   */
  readonly least: number;
}

const CHARTS: readonly Chart[] = [
  {
    title: 'cpu',
    amountOf: ({ cpu_percent }) => cpu_percent,
    text: (amount) => `${amount.toFixed(1)} %`,
    least: 1,
  },
  {
    title: 'memory',
    amountOf: ({ rss_bytes }) => rss_bytes,
    text: (amount) => sizeText(Math.round(amount)),
    least: 1024,
  },
];

const linesOf = (
  samples: SamplesDocument,
  chart: Chart,
  { paint, columns = USUAL_COLUMNS }: ChartLook,
): readonly string[] => {
  const width = Math.min(MOST_COLUMNS, Math.max(MIN_COLUMNS, columns - MARGIN));
  const means = columnsOf(samples, chart.amountOf, width);
  const known = means.filter((mean) => !Number.isNaN(mean));
  if (known.length === 0) return [`  ${paint('dim', chart.title)}`, '    nothing was sampled in this time'];
  const amounts = samples.points.flatMap((point) => chart.amountOf(point) ?? []);
  const extremes = [Math.min(...amounts.map(({ min }) => min)), Math.max(...amounts.map(({ max }) => max))];
  const [min = 0, max = 0] = extremes;
  const drawn = plot([...held(means)], {
    height: HEIGHT,
    min: 0,
    max: Math.max(chart.least, ...known),
    format: (amount: number) => chart.text(amount).padStart(LABEL_WIDTH),
  });
  const last = `${Number.isNaN(means.at(-1)) ? 'last' : 'now'} ${chart.text(known.at(-1) ?? 0)}`;
  return [
    `  ${paint('dim', chart.title)} ${chart.text(min)} to ${chart.text(max)}, ${last}`,
    ...drawn.split('\n').map((line) => `    ${withGaps(line, means).trimEnd()}`),
  ];
};

/** Returns the charts and a line with their time window. */
export const chartLines = (samples: SamplesDocument, look: ChartLook): readonly string[] => [
  ...CHARTS.flatMap((chart) => linesOf(samples, chart, look)),
  `    ${look.paint('dim', `${samples.since} to ${samples.until}`)}`,
];
