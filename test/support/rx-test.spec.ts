import { interval } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { rxTest } from './rx-test.ts';

describe('rxTest', () => {
  it('fails for a value that differs', () => {
    expect(() => {
      rxTest((rx) => rx.expectObservable(rx.cold('a|', { a: { n: 1 } })).toBe('a|', { a: { n: 2 } }));
    }).toThrow(/expected/);
  });

  it('fails for a value that comes a frame too late', () => {
    expect(() => rxTest((rx) => rx.expectObservable(rx.cold('-a|')).toBe('a-|'))).toThrow();
  });

  it('fails for a subscription that was never made', () => {
    expect(() => {
      rxTest((rx) => rx.expectSubscriptions(rx.cold('a|').subscriptions).toBe('^!'));
    }).toThrow();
  });

  it('fails a story that expects nothing', () => {
    expect(() => rxTest((rx) => void rx.cold('a|'))).toThrow('this story expects nothing');
  });

  it('fails a story that has no end', () => {
    expect(() => rxTest((rx) => rx.expectObservable(interval(1)).toBe('-a'))).toThrow(/endless/);
    expect(() => {
      rxTest((rx) => {
        listen(interval(1));
        rx.expectObservable(rx.cold('a|')).toBe('a|');
      });
    }).toThrow(/endless/);
  });

  it('passes for what is equal in depth and in time', () => {
    rxTest((rx) => {
      const source$ = rx.cold('  -a-(b|)', { a: { n: [1] }, b: 2 });
      rx.expectObservable(source$).toBe('-a-(b|)', { a: { n: [1] }, b: 2 });
      rx.expectSubscriptions(source$.subscriptions).toBe('^--!');
    });
  });
});
