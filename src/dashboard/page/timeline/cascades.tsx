// Lines from a failed service to its casualties.
import { useMemo } from 'preact/hooks';
import type { Lane } from '../../page-messages.ts';
import type { Cascade } from './lanes.ts';
import type { TimeWindow } from './time-window.ts';

interface CascadesProps {
  readonly cascades: readonly Cascade[];
  readonly lanes: readonly Lane[];
  readonly window: TimeWindow;
  readonly width: number;
  /** The range of lanes that are drawn, and the height of a lane. */
  readonly list: { readonly first: number; readonly end: number; readonly height: number };
}

export const Cascades = ({ cascades, lanes, window: { from, to }, width, list }: CascadesProps) => {
  const places = useMemo(() => new Map(lanes.map(({ service }, index) => [service, index])), [lanes]);
  const yOf = (service: string): number => ((places.get(service) ?? 0) - list.first + 0.5) * list.height;
  const shown = cascades.filter(
    (one) => one.at >= from && one.at <= to && places.has(one.from) && places.has(one.to),
  );
  const height = (list.end - list.first) * list.height;
  return (
    <svg
      class="cascades"
      width={width}
      height={height}
      style={{ top: `${list.first * list.height + 22}px` }}
      aria-hidden="true"
    >
      {shown.map(({ at, from: cause, to: fallen }) => {
        const x = ((at - from) / (to - from)) * width;
        return <path key={`${at} ${cause} ${fallen}`} d={`M${x} ${yOf(cause)}V${yOf(fallen)}`} />;
      })}
    </svg>
  );
};
