import { Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { lineFeed, stateFeed } from '../../src/client/feed.ts';
import { turns } from '../support/turns.ts';

const taken = async <T>(values: AsyncIterable<T>, most = Infinity): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const value of values) {
    found.push(value);
    if (found.length >= most) break;
  }
  return found;
};

describe('a feed of a state', () => {
  it('a subscriber gets every value', () => {
    const seen: number[] = [];
    stateFeed(of(1, 2, 3)).subscribe({ next: (value) => seen.push(value), error: expect.unreachable });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('a slow loop gets the newest value, and then the end', async () => {
    const value$ = new Subject<number>();
    const loop = stateFeed(value$)[Symbol.asyncIterator]();
    const first = loop.next();
    value$.next(1);
    expect(await first).toEqual({ done: false, value: 1 });
    value$.next(2);
    value$.next(3);
    value$.complete();
    expect(await loop.next()).toEqual({ done: false, value: 3 });
    expect(await loop.next()).toEqual({ done: true, value: undefined });
  });

  it('a loop waits for a value', async () => {
    const value$ = new Subject<string>();
    const found = taken(stateFeed(value$), 1);
    await turns();
    value$.next('late');
    expect(await found).toEqual(['late']);
  });

  it('a loop fails as the stream does', async () => {
    await expect(taken(stateFeed(throwError(() => new Error('broken'))))).rejects.toThrow('broken');
  });

  it('a loop that is left unsubscribes', async () => {
    let isOpen = false;
    const endless$ = new Observable<number>((subscriber) => {
      isOpen = true;
      subscriber.next(1);
      return () => (isOpen = false);
    });
    expect(await taken(stateFeed(endless$), 1)).toEqual([1]);
    expect(isOpen).toBe(false);
  });
});

/** Yields numbers as fast as they are asked for, until the signal aborts. */
const counting = (log: { read: number; closed: number }) =>
  async function* (signal: AbortSignal): AsyncGenerator<number> {
    try {
      while (!signal.aborted) {
        log.read += 1;
        yield await Promise.resolve(log.read);
      }
    } finally {
      log.closed += 1;
    }
  };

describe('a feed of lines', () => {
  it('nothing is read ahead of a loop, and leaving it closes the reader', async () => {
    const log = { read: 0, closed: 0 };
    expect(await taken(lineFeed(counting(log)), 3)).toEqual([1, 2, 3]);
    expect(log).toEqual({ read: 3, closed: 1 });
  });

  it('each subscription and each loop reads for itself', async () => {
    const log = { read: 0, closed: 0 };
    const feed$ = lineFeed(counting(log));
    expect(await taken(feed$, 2)).toEqual([1, 2]);
    expect(await taken(feed$, 1)).toEqual([3]);
    expect(log.closed).toBe(2);
  });

  it('unsubscribing ends a reader that waits', async () => {
    let ended = false;
    const waiting$ = lineFeed<number>(async function* (signal) {
      yield 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      ended = true;
    });
    const seen: number[] = [];
    const subscription = waiting$.subscribe({ next: (value) => seen.push(value), error: expect.unreachable });
    await turns();
    subscription.unsubscribe();
    await turns();
    expect([seen, ended]).toEqual([[1], true]);
  });

  it('leaving a loop ends a reader that waits', async () => {
    const waiting$ = lineFeed<number>(async function* (signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      yield 1;
    });
    const loop = waiting$[Symbol.asyncIterator]();
    const next = loop.next();
    await loop.return?.();
    expect((await next).value).toBe(1);
    expect(await loop.next()).toEqual({ done: true, value: undefined });
  });
});
