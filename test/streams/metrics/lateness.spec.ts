import { describe, expect, it } from 'vitest';
import { lateness } from '../../../src/streams/metrics/lateness.ts';
import { ms } from '../../../src/streams/domain/time.ts';

describe('lateness', () => {
  it('is not known before the second look', () => {
    const late = lateness();
    late.looked(ms(1_000), ms(100));
    expect([late.last(), late.most()]).toEqual([undefined, undefined]);
  });

  it('is what a look came after its time, never negative', () => {
    const late = lateness();
    for (const at of [0, 100, 250, 349]) late.looked(ms(at), ms(100));
    expect([late.last(), late.most()]).toEqual([0, 50]);
  });

  it('has no look to compare with after a pause, and forgets what is long past', () => {
    const late = lateness();
    for (const at of [0, 900]) late.looked(ms(at), ms(100));
    late.paused();
    for (let look = 0; look <= 60; look += 1) late.looked(ms(5_000 + look * 100), ms(100));
    expect(late.most()).toBe(0);
  });
});
