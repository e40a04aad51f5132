// The time axis of the timeline, and the vertical line through all lanes at the chosen moment.
import { needsDate, type Tick, ticksIn, type TimeWindow } from './time-window.ts';

interface AxisProps {
  readonly window: TimeWindow;
  readonly width: number;
  /** The height of all lanes together, px. */
  readonly height: number;
  /** The chosen moment, ms since 1970. */
  readonly picked: number | undefined;
}

const MINUTE = 60_000;
/** The width of a label, px. */
const LABEL_WIDTH = 80;

const labelOf = (at: number, window: TimeWindow): string => {
  const date = new Date(at);
  if (needsDate(window))
    return date.toLocaleDateString([], { month: 'short', day: 'numeric', hour: '2-digit', hourCycle: 'h23' });
  const hasSeconds = window.to - window.from < 10 * MINUTE;
  return date.toLocaleTimeString([], {
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' as const }),
  });
};

/** Returns the labels with their positions. A label that would overlap the previous label is left out. */
const labelsOf = (ticks: readonly Tick[], width: number): readonly Tick[] =>
  ticks.reduce<readonly Tick[]>((labels, { at, x }) => {
    const inside = Math.min(Math.max(x, LABEL_WIDTH / 2), width - LABEL_WIDTH / 2);
    const before = labels.at(-1)?.x ?? -LABEL_WIDTH;
    return inside - before < LABEL_WIDTH ? labels : [...labels, { at, x: inside }];
  }, []);

export const Axis = ({ window, width, height, picked }: AxisProps) => {
  const { from, to } = window;
  const offset = -new Date(to).getTimezoneOffset() * MINUTE;
  const ticks = ticksIn(window, width, offset);
  const isInside = picked !== undefined && picked >= from && picked <= to;
  return (
    <>
      <div class="axis" aria-hidden="true">
        <svg width={width} height="22">
          {labelsOf(ticks, width).map(({ at, x }) => (
            <text key={at} x={x} y="15" text-anchor="middle">
              {labelOf(at, window)}
            </text>
          ))}
        </svg>
      </div>
      <svg class="axis-lines" width={width} height={height} aria-hidden="true">
        {ticks.map(({ at, x }) => (
          <line key={at} x1={x} x2={x} y1="0" y2={height} />
        ))}
        {isInside && (
          <line
            class="cursor"
            x1={((picked - from) / (to - from)) * width}
            x2={((picked - from) / (to - from)) * width}
            y1="0"
            y2={height}
          />
        )}
      </svg>
    </>
  );
};
