import { describe, expect, it } from 'vitest';
import { pacesFrom, pauseBefore } from '../../../src/sources/probes/probe-pauses.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';

const check = {
  probe: { tag: 'http', url: 'http://localhost/' },
  interval: seconds(2),
  startInterval: ms(100),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
} as const;
const pauses = (pace: 'starting' | 'steady'): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((number) => pauseBefore({ check, pace }, number));

describe('the pauses between probes', () => {
  it('while starting the pauses double up to the interval', () => {
    expect(pauses('starting')).toEqual([0, 100, 200, 400, 800, 1600, 2000, 2000]);
  });

  it('once started the pause is the interval, from the first probe on', () => {
    expect(new Set(pauses('steady'))).toEqual(new Set([2000]));
  });

  it('once started the pause is after_ready if that is given, and not while starting', () => {
    const rare = { ...check, afterReady: seconds(10) };
    expect([1, 2].map((number) => pauseBefore({ check: rare, pace: 'steady' }, number))).toEqual([
      10_000, 10_000,
    ]);
    expect(pauseBefore({ check: rare, pace: 'starting' }, 10)).toBe(2000);
  });

  it('the pause stays at the interval after any number of attempts', () => {
    expect(pauseBefore({ check, pace: 'starting' }, 10_000)).toBe(2000);
  });
});

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
