import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_METRICS } from '../../../src/streams/domain/declared/manifest.ts';
import {
  diskPlace,
  isSegment,
  planWrite,
  type Segment,
  segmentName,
  segmentsSince,
} from '../../../src/streams/metrics/sample-files.ts';

const LIMITS = { maxBytes: 100, segmentBytes: 40 };
const file = (began: number, bytes: number): Segment => ({ name: segmentName(began), bytes });

describe('spilled files', () => {
  it('a spilled file grows to its maximum size, then the next file begins', () => {
    expect(planWrite([], { bytes: 30, now: 5 }, LIMITS)).toEqual({ into: segmentName(5), remove: [] });
    expect(planWrite([file(5, 30)], { bytes: 10, now: 9 }, LIMITS).into).toBe(segmentName(5));
    expect(planWrite([file(5, 30)], { bytes: 11, now: 9 }, LIMITS).into).toBe(segmentName(9));
  });

  it('spilled files are removed to make room, oldest first', () => {
    const present = [file(9, 40), file(5, 40), file(13, 15)];
    expect(planWrite(present, { bytes: 20, now: 20 }, LIMITS)).toEqual({
      into: segmentName(13),
      remove: [segmentName(5)],
    });
  });

  it('spilled files refuse a write above the total limit', () => {
    expect(planWrite([file(5, 30)], { bytes: 101, now: 9 }, LIMITS)).toEqual({ remove: [] });
  });

  it('a spilled file sorts after the newest file, even if the clock was set back', () => {
    expect(planWrite([file(50, 40)], { bytes: 5, now: 9 }, LIMITS).into).toBe(segmentName(51));
  });

  it('spilled files never exceed their limit, write after write', () => {
    const limits = fc.record({
      maxBytes: fc.integer({ min: 1, max: 500 }),
      segmentBytes: fc.integer({ min: 1, max: 600 }),
    });
    const writes = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 200 }), now: fc.nat(1_000) }));
    fc.assert(
      fc.property(limits, writes, (limits, writes) => {
        const disk = new Map<string, number>();
        for (const write of writes) {
          const present = [...disk].map(([name, bytes]) => ({ name, bytes }));
          const { into, remove } = planWrite(present, write, limits);
          remove.forEach((name) => disk.delete(name));
          if (into !== undefined) disk.set(into, (disk.get(into) ?? 0) + write.bytes);
          else expect(write.bytes).toBeGreaterThan(limits.maxBytes);
          expect([...disk.values()].reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(limits.maxBytes);
        }
      }),
    );
  });

  it('spilled files are read from the first that may overlap the requested time', () => {
    const names = [9, 5, 20].map(segmentName);
    expect(segmentsSince([...names, 'notes.txt'], 10)).toEqual([segmentName(9), segmentName(20)]);
    expect(segmentsSince(names, 1)).toEqual([5, 9, 20].map(segmentName));
    expect(isSegment('samples-1.jsonl')).toBe(false);
  });
});

const MIB = 1024 * 1024;

describe('the spill directory', () => {
  it('the spill is off without a configured directory', () => {
    expect(diskPlace({ ...DEFAULT_METRICS, spilloverMaxBytes: 5 })).toBeUndefined();
  });

  it('the spill limits are clamped', () => {
    const named = { ...DEFAULT_METRICS, spilloverPath: '/m' };
    expect(diskPlace(named)).toEqual({ directory: '/m', maxBytes: 64 * MIB, segmentBytes: 4 * MIB });
    expect(diskPlace({ ...named, spilloverMaxBytes: 100 })).toMatchObject({ maxBytes: 100, segmentBytes: 7 });
    expect(diskPlace({ ...named, spilloverMaxBytes: 100, spilloverSegmentBytes: 900 })).toMatchObject({
      segmentBytes: 100,
    });
  });
});
