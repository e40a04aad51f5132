// A small chart of the last two minutes.
import { useMemo } from 'preact/hooks';
import { sparklinePath } from '../model/sparkline-path.ts';

interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** The value at the top of the chart if no value is greater. */
  readonly least: number;
}

const WIDTH = 72;
const HEIGHT = 20;

export const Sparkline = ({ values, least }: SparklineProps) =>
  useMemo(
    () => (
      <svg
        class="sparkline"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        aria-hidden="true"
      >
        <path d={sparklinePath(values, { width: WIDTH, height: HEIGHT, least })} />
      </svg>
    ),
    [values, least],
  );
