// The timeline: which part of time is shown, what a lane draws, and which service fell with which.
import { describe, expect, it } from 'vitest';
import { drawnLane, momentAt } from '../../../src/dashboard/page/timeline/lane-geometry.ts';
import { cascadesIn, lanesById } from '../../../src/dashboard/page/timeline/lanes.ts';
import {
  firstZoom,
  moved,
  ticksIn,
  windowOf,
  zoomed,
} from '../../../src/dashboard/page/timeline/time-window.ts';
import type { Lane, Span } from '../../../src/dashboard/page-messages.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

const span = (at: number, state: Span['state']): Span => ({ at, state, cause: 'c', reason: null, run: null });
const laneOf = (service: string, ...spans: readonly Span[]): Lane => ({ service, spans, marks: [] });

describe('the window of the timeline', () => {
  it('begins with an hour, with five minutes of a supervisor that has just begun', () => {
    const ago = (ms: number): string => new Date(NOW - ms).toISOString();
    expect(firstZoom(ago(HOUR), NOW)).toEqual({ length: HOUR });
    expect(firstZoom(ago(HOUR / 4), NOW)).toEqual({ length: HOUR / 12 });
    expect(firstZoom(null, NOW)).toEqual({ length: HOUR });
  });

  it('follows the present until it is moved back, and again once it reaches it', () => {
    const back = moved({ length: HOUR }, -0.5, NOW);
    expect(windowOf(back, NOW)).toEqual({ from: NOW - 1.5 * HOUR, to: NOW - HOUR / 2 });
    expect(moved(back, 0.5, NOW)).toEqual({ length: HOUR });
  });

  it('zooms around the pointer, which stays at its time', () => {
    const before = windowOf({ length: HOUR, end: NOW - HOUR }, NOW);
    const after = windowOf(zoomed({ length: HOUR, end: NOW - HOUR }, 0.5, { now: NOW, share: 0.25 }), NOW);
    expect(after.from + 0.25 * (after.to - after.from)).toBe(before.from + 0.25 * HOUR);
    expect(after.to - after.from).toBe(HOUR / 2);
  });

  it('is never shorter than ten seconds nor longer than thirty days', () => {
    expect(zoomed({ length: 12_000 }, 0.1, { now: NOW }).length).toBe(10_000);
    expect(zoomed({ length: 29 * 24 * HOUR }, 9, { now: NOW }).length).toBe(30 * 24 * HOUR);
  });

  it('has ticks at round local times, as many as fit', () => {
    const window = { from: 10 * HOUR + 60_000, to: 11 * HOUR + 60_000 };
    const ticks = ticksIn(window, 600, HOUR / 2).map(({ at }) => (at + HOUR / 2) / 600_000);
    expect(ticks).toHaveLength(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
  });
});

describe('a lane', () => {
  const window = { from: 0, to: 1_000 };
  const lane = laneOf('shop/api', span(-500, 'running'), span(400, 'backoff'), span(700, 'running'));

  it('draws each state until the next one, and a circle where it begins', () => {
    const { spans, moments } = drawnLane(lane, window, 100);
    expect(spans.map(({ x, width, look }) => [x, width, look])).toEqual([
      [0, 40, 'good'],
      [40, 30, 'bad'],
      [70, 30, 'good'],
    ]);
    expect(moments.map(({ x, look }) => [x, look])).toEqual([
      [40, 'bad'],
      [70, 'good'],
    ]);
  });

  it('draws a crash of less than a pixel as a circle, and the state that follows as it is', () => {
    const flicker = laneOf('a/b', span(0, 'running'), span(500, 'backoff'), span(501, 'running'));
    const { spans, moments } = drawnLane(flicker, window, 100);
    expect(spans.map(({ x, width, look }) => [x, width, look])).toEqual([[0, 100, 'good']]);
    expect(moments.find(({ x }) => x === 50)).toMatchObject({
      look: 'bad',
      texts: ['backoff: c', 'running: c'],
    });
  });

  it('tells the circle near the pointer, or else the state that holds there', () => {
    const drawn = drawnLane(lane, window, 100);
    expect(momentAt(lane, drawn, { x: 43, at: 430 })).toMatchObject({ at: 400 });
    expect(momentAt(lane, drawn, { x: 20, at: 200 })).toEqual({ at: -500, texts: ['running: c'] });
    expect(momentAt(lane, drawn, { x: 0, at: -900 })).toBeUndefined();
  });

  it('shows a rollout as circles of their own kind', () => {
    const marks = [{ at: 300, kind: 'rollout' as const, text: 'blue-green switching' }];
    expect(drawnLane({ ...laneOf('a/b'), marks }, window, 100).moments).toEqual([
      { at: 300, x: 30, look: 'note', texts: ['rollout: blue-green switching'] },
    ]);
  });
});

describe('a cascade', () => {
  const edges = [{ service: 'shop/web', needs: 'shop/api', condition: 'healthy', required: true }];
  const web = laneOf('shop/web', span(0, 'running'), span(10_500, 'casualty'));

  it('leads from the failed service to the casualty', () => {
    const lanes = lanesById([laneOf('shop/api', span(10_000, 'backoff')), web]);
    expect(cascadesIn(lanes, edges)).toEqual([{ at: 10_500, from: 'shop/api', to: 'shop/web' }]);
  });

  it('does not come from a dependency that was well', () => {
    expect(cascadesIn(lanesById([laneOf('shop/api', span(0, 'running')), web]), edges)).toEqual([]);
  });
});
