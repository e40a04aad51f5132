import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mailbox } from '../../../src/streams/operators/mailbox.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';

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
