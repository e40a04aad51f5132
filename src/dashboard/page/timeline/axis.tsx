// The axis of the timeline, and the line through all lanes at the chosen moment.
import { needsDate, ticksIn, type TimeWindow } from './time-window.ts';

interface AxisProps {
  readonly window: TimeWindow;
  readonly width: number;
  /** px, of all lanes. */
  readonly height: number;
  /** ms since 1970. */
  readonly picked: number | undefined;
}

const MINUTE = 60_000;

const labelOf = (at: number, window: TimeWindow): string => {
  const date = new Date(at);
  if (needsDate(window))
    return date.toLocaleDateString([], { month: 'short', day: 'numeric', hour: '2-digit' });
  const hasSeconds = window.to - window.from < 10 * MINUTE;
  return date.toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' as const }),
  });
};

export const Axis = ({ window, width, height, picked }: AxisProps) => {
  const { from, to } = window;
  const offset = -new Date(to).getTimezoneOffset() * MINUTE;
  const ticks = ticksIn(window, width, offset);
  const isInside = picked !== undefined && picked >= from && picked <= to;
  return (
    <>
      <div class="axis" aria-hidden="true">
        <svg width={width} height="22">
          {ticks.map(({ at, x }) => (
            <text key={at} x={x} y="15" text-anchor={x > width - 30 ? 'end' : x < 30 ? 'start' : 'middle'}>
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
