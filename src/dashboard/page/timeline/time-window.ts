// The range of time that the timeline shows: how it is zoomed and moved, and the labels of its axis.

export interface TimeWindow {
  /** The begin of the window, ms since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * The length of the window and the time at its end, ms. `end` is absent while the window ends at the current
 * time.
 */
export interface Zoom {
  readonly length: number;
  readonly end?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORTEST = 10 * SECOND;
const LONGEST = 30 * DAY;

/** The factor by which a key, a button or the wheel makes the window longer or shorter. */
export const ZOOM_STEP = 1.5;

/** The lengths of time that have a button. */
export const LENGTHS: readonly (readonly [text: string, length: number])[] = [
  ['5 min', 5 * MINUTE],
  ['1 h', HOUR],
  ['6 h', 6 * HOUR],
  ['1 d', DAY],
  ['7 d', 7 * DAY],
];

/**
 * Returns the first window. `since`: start of the supervisor, ISO 8601. A younger supervisor has a shorter
 * window.
 */
export const firstZoom = (since: string | null | undefined, now: number): Zoom => ({
  length: now - Date.parse(since ?? '') < HOUR / 2 ? 5 * MINUTE : HOUR,
});

/**
 * Returns the window. If it ends at the current time, it moves in whole steps, so that it is drawn less
 * often.
 */
export const windowOf = ({ length, end }: Zoom, now: number): TimeWindow => {
  const step = Math.max(SECOND, length / 1_000);
  const to = end ?? Math.ceil(now / step) * step;
  return { from: to - length, to };
};

/**
 * Makes the window shorter (`factor` below 1) or longer. `share`: the position, from 0 to 1, of the time that
 * does not move.
 */
export const zoomed = (
  zoom: Zoom,
  factor: number,
  { now, share = 1 }: { now: number; share?: number },
): Zoom => {
  const { from, to } = windowOf(zoom, now);
  const length = Math.min(LONGEST, Math.max(SHORTEST, zoom.length * factor));
  const fixed = from + (to - from) * share;
  return endingAt({ length, end: fixed + length * (1 - share) }, now);
};

/** Moves the window by a share of its length. */
export const moved = (zoom: Zoom, share: number, now: number): Zoom => {
  const { to } = windowOf(zoom, now);
  return endingAt({ length: zoom.length, end: to + zoom.length * share }, now);
};

/**
 * Returns the zoom without `end` if the window reaches the current time: the window then moves with the
 * clock.
 */
const endingAt = ({ length, end }: Required<Zoom>, now: number): Zoom =>
  end >= now ? { length } : { length, end };

const STEPS = [1, 5, 10, 30].map((count) => count * SECOND);
const TICK_LENGTHS = [
  ...STEPS,
  ...[1, 2, 5, 10, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10].map((count) => count * DAY),
];
const PIXELS_PER_TICK = 90;

export interface Tick {
  readonly at: number;
  readonly x: number;
}

/** Returns the ticks of the axis, at round local times. `offset`: local time minus UTC, ms. */
export const ticksIn = ({ from, to }: TimeWindow, width: number, offset: number): readonly Tick[] => {
  const most = Math.max(1, Math.floor(width / PIXELS_PER_TICK));
  const step = TICK_LENGTHS.find((length) => (to - from) / length <= most) ?? 10 * DAY;
  const first = Math.ceil((from + offset) / step) * step - offset;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * step;
    return { at, x: ((at - from) / (to - from)) * width };
  });
};

/** True if the ticks of this window need a date, not only a time. */
export const needsDate = ({ from, to }: TimeWindow): boolean => to - from > 2 * DAY;
