// Computes where a lane is drawn, in pixels: its states as a line, its events as circles on that line.
import type { Lane, Mark, Span } from '../../page-messages.ts';
import { type Look, LOOKS } from '../model/page-words.ts';
import type { TimeWindow } from './time-window.ts';

interface DrawnSpan {
  readonly x: number;
  readonly width: number;
  readonly look: Look;
}

/** A circle on a lane. It stands for one event, or for several events that would overlap. */
export interface LaneMoment {
  readonly x: number;
  /** The time of the first event, ms since 1970. */
  readonly at: number;
  /** The worst look among the states that began with these events; `note` if no state began. */
  readonly look: Look | 'note';
  readonly texts: readonly string[];
}

export interface DrawnLane {
  readonly spans: readonly DrawnSpan[];
  readonly moments: readonly LaneMoment[];
}

/** Events that are closer to each other than this distance, px, become one circle. */
const APART = 7;
const WORST_FIRST: readonly (Look | 'note')[] = ['bad', 'hurt', 'busy', 'good', 'idle', 'calm', 'note'];

const worse = <T extends Look | 'note'>(one: T, other: T): T =>
  WORST_FIRST.indexOf(one) <= WORST_FIRST.indexOf(other) ? one : other;

const scaleOf =
  ({ from, to }: TimeWindow, width: number) =>
  (at: number): number =>
    ((at - from) / (to - from)) * width;

const joinedLook = (one: DrawnSpan, other: DrawnSpan): Look => {
  if (one.width < 1 && other.width < 1) return worse(one.look, other.look);
  return one.width < other.width ? other.look : one.look;
};

/**
 * Appends a span. Neighbouring spans become one span if they have the same look, or if one of them is
 * narrower than a pixel. The wider span then decides the look.
 */
const merged = (spans: readonly DrawnSpan[], span: DrawnSpan): readonly DrawnSpan[] => {
  const last = spans.at(-1);
  const areSeen = last !== undefined && last.width >= 1 && span.width >= 1;
  if (last === undefined || (areSeen && last.look !== span.look)) return [...spans, span];
  const width = span.x + span.width - last.x;
  return [...spans.slice(0, -1), { x: last.x, width, look: joinedLook(last, span) }];
};

const spanText = ({ state, reason, cause, run }: Span): string =>
  `${state}${run === null ? '' : ` (run ${run})`}: ${reason === null || reason === cause ? cause : `${cause}; ${reason}`}`;

const momentOf = (lane: Lane): readonly Omit<LaneMoment, 'x'>[] =>
  [
    ...lane.spans.map((span) => ({ at: span.at, look: LOOKS[span.state], texts: [spanText(span)] })),
    ...lane.marks.map(({ at, kind, text }: Mark) => ({
      at,
      look: 'note' as const,
      texts: [`${kind}: ${text}`],
    })),
  ].sort((one, other) => one.at - other.at);

const gathered = (moments: readonly LaneMoment[], moment: LaneMoment): readonly LaneMoment[] => {
  const last = moments.at(-1);
  if (last === undefined || moment.x - last.x >= APART) return [...moments, moment];
  const both = { ...last, look: worse(last.look, moment.look), texts: [...last.texts, ...moment.texts] };
  return [...moments.slice(0, -1), both];
};

export const drawnLane = (lane: Lane, window: TimeWindow, width: number): DrawnLane => {
  const xOf = scaleOf(window, width);
  const { spans } = lane;
  const drawn = spans.flatMap(({ at, state }, index): readonly DrawnSpan[] => {
    const x = Math.max(0, xOf(at));
    const end = Math.min(width, xOf(spans[index + 1]?.at ?? window.to));
    return end <= 0 || x >= width ? [] : [{ x, width: end - x, look: LOOKS[state] }];
  });
  return {
    spans: drawn.reduce(merged, []),
    moments: momentOf(lane)
      .filter(({ at }) => at >= window.from && at <= window.to)
      .map((moment): LaneMoment => ({ ...moment, x: xOf(moment.at) }))
      .reduce(gathered, []),
  };
};

/**
 * Returns the moment under the pointer: the circle near the pointer or, if there is none, the state at the
 * time under the pointer.
 */
export const momentAt = (
  lane: Lane,
  { moments }: DrawnLane,
  { x, at }: { readonly x: number; readonly at: number },
): Pick<LaneMoment, 'at' | 'texts'> | undefined => {
  const near = moments.find((moment) => Math.abs(moment.x - x) <= APART);
  if (near !== undefined) return near;
  const span = lane.spans.findLast((one) => one.at <= at);
  return span === undefined ? undefined : { at: span.at, texts: [spanText(span)] };
};
