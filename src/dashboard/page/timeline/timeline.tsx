// The timeline: each service is a lane of states over the chosen time. Only the lanes in sight are drawn.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { cascadesIn } from './lanes.ts';
import type { PageModel } from '../model/page-model.ts';
import { agoText, byName, momentText, shownIdOf } from '../model/page-words.ts';
import {
  firstZoom,
  HOUR,
  moved,
  type TimeWindow,
  windowOf,
  type Zoom,
  ZOOM_STEP,
  zoomed,
} from './time-window.ts';
import { visibleRange } from '../model/visible-range.ts';
import { SUPERVISOR_LANE } from '../../lane-events.ts';
import type { Lane, ServiceRow } from '../../page-messages.ts';
import { Spacer } from '../parts/spacer.tsx';
import { useSight } from '../parts/use-sight.ts';
import { Axis } from './axis.tsx';
import { Cascades } from './cascades.tsx';
import { LANE_HEIGHT, type LaneProps, LaneRow, type Pick } from './lane-row.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

interface TimelineProps {
  readonly link: DashboardLink;
  readonly model: PageModel;
  readonly rows: readonly ServiceRow[];
}

/** In a window of at most this width, px, names are shown without the project (see `page.css`). */
const NARROW = 600;

/**
 * Requests the lanes. Requests them again after each new connection, and when the window begins before the
 * requested time.
 */
const useLanes = (link: DashboardLink, connections: number, from: number): void => {
  const [since, setSince] = useState(from - HOUR);
  useEffect(() => {
    if (from < since) setSince(from - HOUR);
  }, [from < since]);
  useEffect(() => {
    if (connections === 0) return undefined;
    const subscription = link.ask({ ask: 'timeline', since: Math.floor(since) }).subscribe({
      error: (thrown: unknown) => reportError(thrown),
    });
    return () => subscription.unsubscribe();
  }, [connections, since]);
};

/** Returns the lane of the supervisor, then the lanes of the services, sorted by id. */
const useSortedLanes = (lanes: PageModel['lanes'], rows: readonly ServiceRow[]): readonly Lane[] => {
  const ids = rows.map(({ id }) => id).join(' ');
  return useMemo(() => {
    const supervisor = lanes.get(SUPERVISOR_LANE);
    const services = rows
      .map(({ id }) => lanes.get(id) ?? { service: id, spans: [], marks: [] })
      .sort((one, other) => byName.compare(one.service, other.service));
    return [...(supervisor === undefined ? [] : [supervisor]), ...services];
  }, [lanes, ids]);
};

/** Says from which time on events are stored, if the window begins before that time. */
const Cut = ({ cut, window: { from } }: { readonly cut: number | undefined; readonly window: TimeWindow }) =>
  cut === undefined || cut <= from ? null : (
    <p class="note">No events from before {momentText(cut)} are stored.</p>
  );

const Picked = ({ pick, now }: { readonly pick: Pick | undefined; readonly now: number }) => (
  <p class="picked-text" aria-live="polite">
    {pick === undefined ? (
      <span class="quiet">Point at a circle or a line, or use ← and → on a lane, to read the cause.</span>
    ) : (
      <>
        <strong>{shownIdOf(pick.service)}</strong> {momentText(pick.at)}{' '}
        <span class="quiet">{agoText(new Date(pick.at).toISOString(), now)}</span>{' '}
        {pick.texts.slice(0, 4).join(' · ')}
        {pick.texts.length > 4 ? ` · and ${pick.texts.length - 4} more` : ''}
      </>
    )}
  </p>
);

/** Returns the zoom after the key. `lane-row.tsx` has the keys that act on a lane. */
const zoomOfKey = (key: string, zoom: Zoom, now: number): Zoom | undefined => {
  if (key === '+' || key === '=') return zoomed(zoom, 1 / ZOOM_STEP, { now });
  if (key === '-') return zoomed(zoom, ZOOM_STEP, { now });
  if (key === '[') return moved(zoom, -0.5, now);
  if (key === ']') return moved(zoom, 0.5, now);
  return key === '0' ? { length: HOUR } : undefined;
};

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

type Place = RefObject<HTMLDivElement | null>;

/** Moves the focus from lane to lane, scrolling to a lane that is not visible. */
const useCurrentLane = (place: Place, lanes: readonly Lane[]) => {
  const [chosen, setChosen] = useState(0);
  const current = Math.max(0, Math.min(chosen, lanes.length - 1));
  const move = (step: number): void => {
    const next = Math.min(Math.max(0, current + step), lanes.length - 1);
    setChosen(next);
    place.current?.scrollTo({ top: Math.max(0, (next - 3) * LANE_HEIGHT) });
    const selector = `[data-lane="${CSS.escape(lanes[next]?.service ?? '')}"]`;
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>(selector)?.focus());
  };
  return { current, move };
};

/** Makes Ctrl and the wheel zoom at the pointer. Without Ctrl the wheel scrolls the lanes. */
const useWheel = (place: Place, width: number, onZoom: (factor: number, share: number) => void): void => {
  useEffect(() => {
    const element = place.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey || element === null) return;
      event.preventDefault();
      const fromRight = element.getBoundingClientRect().right - event.clientX;
      const share = Math.min(1, Math.max(0, 1 - fromRight / width));
      onZoom(event.deltaY > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, share);
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });
};

interface LanesProps {
  readonly lanes: readonly Lane[];
  readonly list: { readonly first: number; readonly end: number; readonly height: number };
  readonly row: Omit<LaneProps, 'lane' | 'isCurrent'>;
  readonly current: number;
}

const LaneList = ({ lanes, list: { first, end }, row, current }: LanesProps) => (
  <div role="list" aria-label="Lanes">
    <Spacer rows={first} height={LANE_HEIGHT} />
    {lanes.slice(first, end).map((lane, at) => (
      <LaneRow key={lane.service} lane={lane} isCurrent={first + at === current} {...row} />
    ))}
    <Spacer rows={lanes.length - end} height={LANE_HEIGHT} />
  </div>
);

export const Timeline = ({ link, model, rows }: TimelineProps) => {
  const { lanes: known, connections, cut, edges, now, supervisor } = model;
  const [zoom, setZoom] = useState(() => firstZoom(supervisor?.since, now));
  const [picked, setPicked] = useState<Pick>();
  const window = windowOf(zoom, now);
  useLanes(link, connections, window.from);
  const lanes = useSortedLanes(known, rows);
  const { ref, seen } = useSight();
  const width = Math.max(120, seen.width - (innerWidth <= NARROW ? 100 : 210));
  const list = { ...visibleRange(lanes.length, { ...seen, rowHeight: LANE_HEIGHT }), height: LANE_HEIGHT };
  const cascades = useMemo(() => cascadesIn(known, edges), [known, edges]);
  const row = { window, width, picked, onPick: setPicked };
  const { current, move } = useCurrentLane(ref, lanes);
  useWheel(ref, width, (factor, share) => setZoom((before) => zoomed(before, factor, { now, share })));
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = zoomOfKey(event.key, zoom, now);
    const step = KEY_STEPS[event.key];
    if (next !== undefined) setZoom(next);
    else if (step !== undefined) move(step);
    else return;
    event.preventDefault();
  };
  return (
    <section class="panel" aria-labelledby="timeline-heading" onKeyDown={onKeyDown}>
      <header class="panel-head">
        <h2 id="timeline-heading">Timeline</h2>
        <ZoomButtons zoom={zoom} now={now} onZoom={setZoom} />
      </header>
      <Picked pick={picked} now={now} />
      <div class="lanes" ref={ref} onMouseLeave={() => setPicked(undefined)}>
        <Axis window={window} width={width} picked={picked?.at} height={lanes.length * LANE_HEIGHT} />
        <LaneList lanes={lanes} list={list} current={current} row={row} />
        <Cascades cascades={cascades} lanes={lanes} window={window} width={width} list={list} />
      </div>
      <Cut cut={cut} window={window} />
    </section>
  );
};
