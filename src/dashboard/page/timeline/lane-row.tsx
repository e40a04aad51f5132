// A lane of the timeline: the states of a service as a line, with a circle for each event.
import { useMemo } from 'preact/hooks';
import { SUPERVISOR_LANE } from '../../lane-events.ts';
import type { Lane } from '../../page-messages.ts';
import { type DrawnLane, drawnLane, type LaneMoment, momentAt } from './lane-geometry.ts';
import { fragmentOf } from '../model/page-route.ts';
import { type Look, shownIdOf } from '../model/page-words.ts';
import type { TimeWindow } from './time-window.ts';

export const LANE_HEIGHT = 26;
const MIDDLE = LANE_HEIGHT / 2;
/** The thickness of the line for each look, px, so that not only colours show the state. */
const THICKNESS: Readonly<Record<Look, number>> = { good: 4, busy: 7, bad: 12, hurt: 10, calm: 2, idle: 1 };

/** The moment of a lane that the pointer or the keys have chosen. */
export interface Pick {
  readonly service: string;
  readonly at: number;
  readonly texts: readonly string[];
}

export interface LaneProps {
  readonly lane: Lane;
  readonly window: TimeWindow;
  readonly width: number;
  readonly isCurrent: boolean;
  readonly picked: Pick | undefined;
  readonly onPick: (pick: Pick | undefined) => void;
}

const Circle = ({
  moment: { x, look, texts },
  isPicked,
}: {
  readonly moment: LaneMoment;
  readonly isPicked: boolean;
}) => (
  <circle
    class={`moment moment-${look}${isPicked ? ' picked' : ''}`}
    cx={x.toFixed(1)}
    cy={MIDDLE}
    r={texts.length > 1 ? 5.5 : 4}
  />
);

const Drawing = ({
  drawn: { spans, moments },
  pickedAt,
}: {
  drawn: DrawnLane;
  pickedAt: number | undefined;
}) => (
  <>
    {spans.map(({ x, width, look }, index) => (
      <rect
        key={index}
        class={`span sign-${look}`}
        x={x.toFixed(1)}
        y={MIDDLE - THICKNESS[look] / 2}
        width={Math.max(1, width).toFixed(1)}
        height={THICKNESS[look]}
      />
    ))}
    {moments.map((moment) => (
      <Circle key={moment.at} moment={moment} isPicked={moment.at === pickedAt} />
    ))}
  </>
);

/**
 * Returns the moment before or after the chosen moment. If no moment is chosen, returns the newest moment.
 */
const neighbour = (
  moments: readonly LaneMoment[],
  at: number | undefined,
  step: number,
): LaneMoment | undefined => {
  const index = moments.findIndex((moment) => moment.at === at);
  return index === -1 ? moments.at(-1) : moments[index + step];
};

/** A link to the service. On a narrow page it shows the name without the project (see `page.css`). */
const LaneName = ({ service, isCurrent }: { readonly service: string; readonly isCurrent: boolean }) => {
  const id = shownIdOf(service);
  const at = id.indexOf('/') + 1;
  const place = { class: 'lane-name', tabIndex: isCurrent ? 0 : -1, 'data-lane': service };
  if (service === SUPERVISOR_LANE) return <span {...place}>{id}</span>;
  return (
    <a {...place} href={fragmentOf(service)}>
      <span class="lane-project">{id.slice(0, at)}</span>
      {id.slice(at)}
    </a>
  );
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export const LaneRow = ({ lane, window, width, isCurrent, picked, onPick }: LaneProps) => {
  const { service } = lane;
  const drawn = useMemo(() => drawnLane(lane, window, width), [lane, window.from, window.to, width]);
  const pickedAt = picked?.service === service ? picked.at : undefined;
  const drawing = useMemo(() => <Drawing drawn={drawn} pickedAt={pickedAt} />, [drawn, pickedAt]);
  const onMove = ({ offsetX: x }: MouseEvent): void => {
    const at = window.from + (x / width) * (window.to - window.from);
    const found = momentAt(lane, drawn, { x, at });
    onPick(found && { ...found, service });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const found = neighbour(drawn.moments, pickedAt, step);
    if (found !== undefined) onPick({ ...found, service });
  };
  const state = lane.spans.at(-1)?.state ?? 'unknown';
  const events = drawn.moments.length;
  return (
    <div class="lane" role="listitem" onKeyDown={onKeyDown}>
      <LaneName service={service} isCurrent={isCurrent} />
      <svg
        class="lane-line"
        width={width}
        height={LANE_HEIGHT}
        role="img"
        aria-label={`${state}, ${events} ${events === 1 ? 'event' : 'events'} in sight`}
        onMouseMove={onMove}
      >
        {drawing}
      </svg>
    </div>
  );
};
