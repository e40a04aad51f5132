import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTurn, mailbox } from '../../../src/streams/operators/mailbox.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('inTurn', () => {
  it('handles a value given during another one after it, in the same tick', () => {
    const log: string[] = [];
    const handle = inTurn((value: string) => {
      log.push(`${value} begins`);
      if (value === 'first') {
        handle('second');
        handle('third');
      }
      log.push(`${value} ends`);
    });
    handle('first');
    expect(log).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('serves the rest before it throws, and goes on serving afterwards', () => {
    const served: number[] = [];
    const handle = inTurn((value: number) => {
      if (value === 1) {
        handle(2);
        throw new Error('one is not well');
      }
      served.push(value);
    });
    expect(() => handle(1)).toThrow(AggregateError);
    handle(3);
    expect(served).toEqual([2, 3]);
  });

  it('keeps the order over a hundred thousand values given from within one', () => {
    const served: number[] = [];
    const handle = inTurn((value: number) => {
      served.push(value);
      if (value === 0) for (let next = 1; next <= 100_000; next += 1) handle(next);
    });
    handle(0);
    expect(served).toHaveLength(100_001);
    expect(served.every((value, index) => value === index)).toBe(true);
  });
});

describe('mailbox', () => {
  afterEach(() => {
    config.onUnhandledError = null;
    vi.useRealTimers();
  });

  it('shows every reader the same order, whoever answers first', () => {
    const box = mailbox<number>();
    const early: number[] = [];
    const late: number[] = [];
    listen(box.posted$, (value) => {
      early.push(value);
      if (value < 3) box.post(value + 1);
    });
    listen(box.posted$, (value) => late.push(value));
    box.post(1);
    expect(early).toEqual([1, 2, 3]);
    expect(late).toEqual([1, 2, 3]);
  });

  it('delivers in the tick of the post', () => {
    rxTest((rx) => {
      const { post, posted$ } = mailbox<string>();
      const letter$ = rx.cold('-a-(bc)');
      const expected = '       -a-(bc)';
      listen(letter$, post);
      rx.expectObservable(posted$).toBe(expected);
    });
  });

  it('goes on when a reader throws, for that reader and for the others', () => {
    vi.useFakeTimers();
    const reported = vi.fn();
    config.onUnhandledError = reported;
    const box = mailbox<number>();
    const seen: number[] = [];
    listen(box.posted$, (value) => {
      if (value === 1) {
        box.post(2);
        throw new Error('unwell');
      }
      seen.push(value);
    });
    listen(box.posted$, (value) => seen.push(value * 10));
    box.post(1);
    box.post(3);
    expect(seen).toEqual([10, 2, 20, 3, 30]);
    vi.runAllTimers();
    expect(reported).toHaveBeenCalledOnce();
  });
});
