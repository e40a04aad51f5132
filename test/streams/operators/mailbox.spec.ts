import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTurn, mailbox } from '../../../src/streams/operators/mailbox.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('inTurn', () => {
  it('inTurn handles a nested value after the present one, in the same tick', () => {
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

  it('inTurn handles the rest before it throws, and continues afterwards', () => {
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

  it('inTurn keeps the order over a hundred thousand nested values', () => {
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

  it('mailbox shows each subscriber the same order, whichever answers first', () => {
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

  it('mailbox delivers in the tick of the post', () => {
    rxTest((rx) => {
      const { post, posted$ } = mailbox<string>();
      const letter$ = rx.cold('-a-(bc)');
      const expected = '       -a-(bc)';
      listen(letter$, post);
      rx.expectObservable(posted$).toBe(expected);
    });
  });

  it('mailbox continues when a subscriber throws, for that one and the others', () => {
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
