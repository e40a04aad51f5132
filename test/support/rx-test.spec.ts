import { interval } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { rxTest } from './rx-test.ts';

describe('rxTest', () => {
  it('rxTest fails for a different value', () => {
    expect(() => {
      rxTest((rx) => rx.expectObservable(rx.cold('a|', { a: { n: 1 } })).toBe('a|', { a: { n: 2 } }));
    }).toThrow(/expected/);
  });

  it('rxTest fails for a value that comes a frame late', () => {
    expect(() => rxTest((rx) => rx.expectObservable(rx.cold('-a|')).toBe('a-|'))).toThrow();
  });

  it('rxTest fails for a missing subscription', () => {
    expect(() => {
      rxTest((rx) => rx.expectSubscriptions(rx.cold('a|').subscriptions).toBe('^!'));
    }).toThrow();
  });

  it('rxTest fails for a story without expectations', () => {
    expect(() => rxTest((rx) => void rx.cold('a|'))).toThrow('this story expects nothing');
  });

  it('rxTest fails for a story without an end', () => {
    expect(() => rxTest((rx) => rx.expectObservable(interval(1)).toBe('-a'))).toThrow(/endless/);
    expect(() => {
      rxTest((rx) => {
        listen(interval(1));
        rx.expectObservable(rx.cold('a|')).toBe('a|');
      });
    }).toThrow(/endless/);
  });

  it('rxTest passes for equal values at equal times', () => {
    rxTest((rx) => {
      const source$ = rx.cold('  -a-(b|)', { a: { n: [1] }, b: 2 });
      rx.expectObservable(source$).toBe('-a-(b|)', { a: { n: [1] }, b: 2 });
      rx.expectSubscriptions(source$.subscriptions).toBe('^--!');
    });
  });
});
