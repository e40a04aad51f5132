// One chart, drawn by uPlot: a line for the mean values, and a faint line for the greatest values.
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { type ChartData, chartSummary } from '../model/chart-data.ts';

interface ChartProps {
  readonly title: string;
  readonly data: ChartData;
  /** The begin and the end of the time axis, in seconds since 1970. */
  readonly range: { readonly from: number; readonly to: number };
  readonly words: (value: number | null) => string;
  /**
   * The allowed distances between two labels of the value axis. If absent, the distances are round decimal
   * numbers.
   */
  readonly steps?: readonly number[];
}

const HEIGHT = 220;

const columnsOf = ({ times, means, greatest }: ChartData): uPlot.AlignedData => [
  [...times],
  [...means],
  [...greatest],
];

const optionsOf = (
  { words, steps }: Pick<ChartProps, 'words' | 'steps'>,
  element: HTMLElement,
): uPlot.Options => {
  const colours = getComputedStyle(element);
  const colour = (name: string): string => colours.getPropertyValue(name);
  const axis = {
    stroke: colour('--chart-text'),
    grid: { stroke: colour('--chart-line'), width: 1 },
    ticks: { show: false },
  };
  const valueOf = (_: uPlot, value: number | null): string => words(value);
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } },
    axes: [
      axis,
      {
        ...{ ...axis, size: 76, values: (_, values) => values.map((value) => words(value)) },
        ...(steps && { incrs: [...steps] }),
      },
    ],
    series: [
      {},
      { label: 'mean', stroke: colour('--chart-mean'), width: 1.5, value: valueOf, points: { show: false } },
      {
        label: 'greatest',
        stroke: colour('--chart-most'),
        width: 1,
        value: valueOf,
        points: { show: false },
      },
    ],
  };
};

/**
 * Returns true if the system's colour scheme is dark. The component is drawn again when the scheme changes.
 */
const useScheme = (): boolean => {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setIsDark] = useState(query.matches);
  useEffect(() => {
    const read = (): void => setIsDark(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  return isDark;
};

export const Chart = ({ title, data, range, words, steps }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const isDark = useScheme();
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = new uPlot(optionsOf({ words, ...(steps && { steps }) }, element), columnsOf(data), element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [isDark]);
  useEffect(() => {
    plot.current?.setData(columnsOf(data), false);
    plot.current?.setScale('x', { min: range.from, max: range.to });
  }, [data]);
  const summary = chartSummary(data, words);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="quiet">{summary}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  );
};
