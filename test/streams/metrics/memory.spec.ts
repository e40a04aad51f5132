import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import { sampleMemory, type Limits, type SampleMemory } from '../../../src/streams/metrics/memory.ts';
import { beat, idOf } from './support.ts';

const LIMITS: Limits = { retentionMinutes: 720, sampleIntervalSecs: 1, maxMemoryBytes: 10_485_760 };
const EVER = instant(0);

const countOf = (memory: SampleMemory, name: string): number =>
  memory.since(idOf(name), EVER).reduce((all, { rss }) => all + rss.count, 0);

describe('the memory of samples', () => {
  it('tells the samples of a service since a moment', () => {
    const memory = sampleMemory(LIMITS);
    for (let at = 1; at <= 5; at += 1) memory.add(beat(at * 1_000, ['web', 'db'], { rss: at }));
    expect(memory.since(idOf('web'), instant(4_000)).map(({ rss }) => rss.sum)).toEqual([4, 5]);
    expect(memory.since(idOf('nobody'), EVER)).toEqual([]);
  });

  it('keeps them for their time', () => {
    const memory = sampleMemory({ ...LIMITS, retentionMinutes: 1 });
    for (let at = 0; at <= 90; at += 1) memory.add(beat(at * 1_000, ['web'], { rss: 1 }));
    expect(memory.since(idOf('web'), EVER)[0]?.from).toBeGreaterThanOrEqual(30_000);
  });

  it('keeps nothing of a service that left, and nothing at all where nothing is to be kept', () => {
    const memory = sampleMemory(LIMITS);
    memory.add(beat(1_000, ['web'], { rss: 1 }));
    memory.drop(idOf('web'));
    expect([memory.bytes(), countOf(memory, 'web')]).toEqual([0, 0]);
    memory.limit({ ...LIMITS, retentionMinutes: 0 });
    memory.add(beat(2_000, ['web'], { rss: 1 }));
    expect([memory.bytes(), countOf(memory, 'web')]).toEqual([0, 0]);
  });

  it('moves what it keeps when the limits change or somebody joins', () => {
    const memory = sampleMemory({ ...LIMITS, maxMemoryBytes: 16_000 });
    for (let at = 0; at < 50; at += 1) memory.add(beat(at * 1_000, ['web'], { rss: 1 }));
    memory.limit({ ...LIMITS, maxMemoryBytes: 4_000 });
    expect(countOf(memory, 'web')).toBe(50);
    memory.add(beat(50_000, ['web', 'db', 'api'], { rss: 1 }));
    expect(countOf(memory, 'web')).toBe(51);
    expect(memory.bytes()).toBeLessThanOrEqual(4_000);
  });

  it('is never above its cap, whatever comes and goes', () => {
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
