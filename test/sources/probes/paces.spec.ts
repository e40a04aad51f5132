import { describe, expect, it } from 'vitest';
import { pacesFrom } from '../../../src/sources/probes/paces.ts';
import { ms } from '../../../src/streams/domain/time.ts';

describe('the paces of probes', () => {
  it('tell when each is due, for as long as it is made', () => {
    const paces = pacesFrom({}, () => 1_000);
    paces.next('a', ms(500));
    paces.next('b', ms(0));
    expect(paces.all()).toEqual({ a: 1_500, b: 1_000 });
    paces.over('a');
    expect(paces.all()).toEqual({ b: 1_000 });
  });

  it('give what is left of a pause once: nothing of one that is over, or of an attempt that was under way', () => {
    const paces = pacesFrom({ late: 900, soon: 1_200 }, () => 1_000);
    expect([paces.handed('late'), paces.handed('soon'), paces.handed('other')]).toEqual([0, 200, undefined]);
    expect(paces.handed('soon')).toBeUndefined();
  });
});
