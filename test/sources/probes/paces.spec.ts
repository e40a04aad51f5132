import { describe, expect, it } from 'vitest';
import { pacesFrom } from '../../../src/sources/probes/prober.ts';
import { ms } from '../../../src/streams/domain/time.ts';

const LONGEST = ms(8_000);

describe('pauses that are handed over', () => {
  it('the remaining pause of each probe is known while it lasts', () => {
    let now = ms(1_000);
    const paces = pacesFrom({}, () => now);
    paces.next('a', ms(500));
    paces.next('b', ms(0));
    now = ms(1_200);
    expect(paces.all()).toEqual({ a: 300, b: 0 });
    paces.over('a');
    expect(paces.all()).toEqual({ b: 0 });
  });

  it('a remaining pause is used once, and not after an attempt that was under way', () => {
    let now = ms(1_000);
    const paces = pacesFrom({ late: 100, soon: 400 }, () => now);
    now = ms(1_200);
    const handed = ['late', 'soon', 'other'].map((key) => paces.handed(key, LONGEST));
    expect(handed).toEqual([0, 200, undefined]);
    expect(paces.handed('soon', LONGEST)).toBeUndefined();
  });

  it('a remaining pause is at most the longest pause', () => {
    expect(pacesFrom({ far: 3_600_000 }, () => ms(0)).handed('far', LONGEST)).toBe(LONGEST);
  });
});
