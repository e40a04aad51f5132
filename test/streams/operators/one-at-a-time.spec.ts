import { concat, ignoreElements, merge, of, throwError, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/streams/operators/one-at-a-time.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('works one at a time', () => {
  it('begin in the order asked for, each when the one before is over, also after one that failed', () => {
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

  it('are carried out even when nobody listens any more', () => {
    rxTest((rx) => {
      const work$ = rx.cold('-----(a|)');
      const write = oneAtATime(() => work$);
      rx.expectObservable(merge(write(1), write(2)), '-!').toBe('');
      rx.expectSubscriptions(work$.subscriptions).toBe(['^----!', '-----^----!']);
    });
  });

  it('are not begun before somebody subscribes', () => {
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

  it('that cannot even be begun fail for who asked, and hold up nobody', () => {
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
