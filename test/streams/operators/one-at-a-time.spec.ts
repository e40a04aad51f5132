import { concat, ignoreElements, merge, of, throwError, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/streams/operators/one-at-a-time.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('oneAtATime', () => {
  it('work runs in order, one after the other, also after a failure', () => {
    rxTest((rx) => {
      const a$ = rx.cold('---(a|)');
      const b$ = rx.cold('--#');
      const c$ = rx.cold('-(c|)');
      const write = oneAtATime((work$: Observable<string>) => work$);
      rx.expectObservable(write(a$)).toBe('---(a|)');
      rx.expectObservable(write(b$)).toBe('-----#');
      rx.expectObservable(write(c$)).toBe('------(c|)');
      rx.expectSubscriptions(a$.subscriptions).toBe('^--!');
      rx.expectSubscriptions(b$.subscriptions).toBe('---^-!');
      rx.expectSubscriptions(c$.subscriptions).toBe('-----^!');
    });
  });

  it('work runs even after its subscriber has unsubscribed', () => {
    rxTest((rx) => {
      const work$ = rx.cold('-----(a|)');
      const write = oneAtATime(() => work$);
      rx.expectObservable(merge(write(1), write(2)), '-!').toBe('');
      rx.expectSubscriptions(work$.subscriptions).toBe(['^----!', '-----^----!']);
    });
  });

  it('work does not run before a subscription', () => {
    const begun: number[] = [];
    const write = oneAtATime((value: number) => {
      begun.push(value);
      return of(value);
    });
    const asked$ = write(1);
    expect(begun).toEqual([]);
    rxTest((rx) => rx.expectObservable(asked$).toBe('(1|)', { 1: 1 }));
    expect(begun).toEqual([1]);
  });

  it('work that throws when it begins fails for its caller and blocks no other work', () => {
    rxTest((rx) => {
      const write = oneAtATime((value: number) => {
        if (value === 1) throw new Error('no disk');
        return value === 2 ? throwError(() => new Error('full')) : of(value);
      });
      rx.expectObservable(write(1)).toBe('#', undefined, new Error('no disk'));
      rx.expectObservable(write(2)).toBe('#', undefined, new Error('full'));
      rx.expectObservable(concat(timer(2).pipe(ignoreElements()), write(3))).toBe('--(3|)', { 3: 3 });
    });
  });
});
