import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import {
  historyOf,
  type Limits,
  sampleMemory,
  type SampleMemory,
} from '../../../src/streams/metrics/sample-memory.ts';
import { beat, idOf } from './support.ts';

const bucket = (at: number, rss = at): Bucket => ({
  from: instant(at),
  to: instant(at),
  cpu: { count: 1, min: rss / 2, sum: rss / 2, max: rss / 2 },
  rss: { count: 1, min: rss, sum: rss, max: rss },
});

const filled = (room: number, wanted: number, count: number) => {
  const history = historyOf(room, wanted);
  for (let at = 0; at < count; at += 1) history.add(bucket(at));
  return history;
};

describe('the history of samples', () => {
  it('a history with room for everything keeps each sample and the newest last', () => {
    const kept = filled(1_000, 10, 25).buckets();
    expect(kept.map(({ from }) => from)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('a history with less room keeps the newest samples and ever larger buckets of older ones', () => {
    const kept = filled(12, 100, 100).buckets();
    expect(kept.slice(-3).every(({ rss }) => rss.count === 1)).toBe(true);
    const counts = kept.map(({ rss }) => rss.count);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBeGreaterThan(10);
  });

  it('a history with hardly any room keeps the newest samples', () => {
    expect(
      filled(2, 100, 9)
        .buckets()
        .map(({ from }) => from),
    ).toEqual([7, 8]);
  });

  it('a history drops buckets that ended before a given time', () => {
    const history = filled(1_000, 10, 10);
    history.forget(instant(7));
    expect(history.buckets().map(({ from }) => from)).toEqual([7, 8, 9]);
  });

  it('a history never exceeds its room and covers its whole time', () => {
    const room = fc.integer({ min: 3, max: 200 });
    const wanted = fc.integer({ min: 1, max: 400 });
    const amounts = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 400 });
    fc.assert(
      fc.property(room, wanted, amounts, (room, wanted, all) => {
        const given = all.slice(0, wanted);
        const history = historyOf(room, wanted);
        given.forEach((amount, at) => history.add(bucket(at, amount)));
        const kept = history.buckets();
        expect(history.capacity).toBeLessThanOrEqual(room);
        expect(kept.length).toBeLessThanOrEqual(history.capacity);
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        expect(sum(kept.map(({ rss }) => rss.count))).toBe(given.length);
        expect(sum(kept.map(({ rss }) => rss.sum))).toBe(sum(given));
        expect(Math.max(0, ...kept.map(({ rss }) => rss.max))).toBe(Math.max(0, ...given));
        expect(kept.map(({ from }) => from)).toEqual(kept.map(({ from }) => from).toSorted((a, b) => a - b));
      }),
    );
  });
});

const LIMITS: Limits = { retentionMinutes: 720, sampleIntervalSecs: 1, maxMemoryBytes: 10_485_760 };
const EVER = instant(0);

const countOf = (memory: SampleMemory, name: string): number =>
  memory.since(idOf(name), EVER).reduce((all, { rss }) => all + rss.count, 0);

describe('the memory of samples', () => {
  it('the memory of samples returns the samples of a service since a given time', () => {
    const memory = sampleMemory(LIMITS);
    for (let at = 1; at <= 5; at += 1) memory.add(beat(at * 1_000, ['web', 'db'], { rss: at }));
    expect(memory.since(idOf('web'), instant(4_000)).map(({ rss }) => rss.sum)).toEqual([4, 5]);
    expect(memory.since(idOf('nobody'), EVER)).toEqual([]);
  });

  it('the memory of samples keeps them for their retention time', () => {
    const memory = sampleMemory({ ...LIMITS, retentionMinutes: 1 });
    for (let at = 0; at <= 90; at += 1) memory.add(beat(at * 1_000, ['web'], { rss: 1 }));
    expect(memory.since(idOf('web'), EVER)[0]?.from).toBeGreaterThanOrEqual(30_000);
  });

  it('the memory of samples drops removed services, and keeps nothing with a retention of zero', () => {
    const memory = sampleMemory(LIMITS);
    memory.add(beat(1_000, ['web'], { rss: 1 }));
    memory.drop(idOf('web'));
    expect([memory.bytes(), countOf(memory, 'web')]).toEqual([0, 0]);
    memory.limit({ ...LIMITS, retentionMinutes: 0 });
    memory.add(beat(2_000, ['web'], { rss: 1 }));
    expect([memory.bytes(), countOf(memory, 'web')]).toEqual([0, 0]);
  });

  it('the memory of samples moves its contents when limits change or services are added', () => {
    const memory = sampleMemory({ ...LIMITS, maxMemoryBytes: 16_000 });
    for (let at = 0; at < 50; at += 1) memory.add(beat(at * 1_000, ['web'], { rss: 1 }));
    memory.limit({ ...LIMITS, maxMemoryBytes: 4_000 });
    expect(countOf(memory, 'web')).toBe(50);
    memory.add(beat(50_000, ['web', 'db', 'api'], { rss: 1 }));
    expect(countOf(memory, 'web')).toBe(51);
    expect(memory.bytes()).toBeLessThanOrEqual(4_000);
  });

  it('the memory of samples never exceeds its limit while services and samples are added and removed', () => {
    const names = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const act = fc.oneof(
      names.map((given) => ({ type: 'beat', given }) as const),
      names.map((given) => ({ type: 'drop', given }) as const),
      fc.integer({ min: 0, max: 20_000 }).map((cap) => ({ type: 'limit', cap }) as const),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        let cap = 5_000;
        const memory = sampleMemory({ ...LIMITS, maxMemoryBytes: cap });
        acts.forEach((each, at) => {
          if (each.type === 'beat') memory.add(beat(at * 1_000, each.given, { rss: at }));
          else if (each.type === 'drop') each.given.forEach((name) => memory.drop(idOf(name)));
          else {
            cap = each.cap;
            memory.limit({ ...LIMITS, maxMemoryBytes: cap });
          }
          expect(memory.bytes()).toBeLessThanOrEqual(cap);
        });
      }),
    );
  });
});
