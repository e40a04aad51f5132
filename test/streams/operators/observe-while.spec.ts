import { EMPTY, NEVER, Observable, of, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  observeWhile,
  type Listing,
  type ObserveWhile,
} from '../../../src/streams/operators/observe-while.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';

interface Keyed {
  readonly key: string;
}

const lists = (owner: string, ...keys: string[]): Listing<Keyed> => ({
  owner,
  watches: keys.map((key) => ({ key })),
});

const unexpected = (watch: Keyed, error: unknown): void => {
  throw new Error(`unexpected error of ${watch.key}`, { cause: error });
};

/** Opens the stream that has the watch's key. */
const openOf = <E>(streams: Readonly<Record<string, Observable<E>>>): ObserveWhile<Keyed, E> => {
  function open({ key }: Keyed): Observable<E> {
    return streams[key] ?? EMPTY;
  }
  return { open, onError: unexpected } satisfies ObserveWhile<Keyed, E>;
};

describe('observeWhile', () => {
  it('observeWhile opens newly listed watches, keeps present ones and closes missing ones', () => {
    rxTest((rx) => {
      const values = {
        a: lists('web', 'x'),
        b: lists('web', 'x', 'y'),
        c: lists('web', 'y'),
        d: lists('web'),
      };
      const list$ = rx.hot('   a---b---c---d---|', values);
      const x$ = rx.cold('     -1---1---1---1---');
      const y$ = rx.cold('         --2---2---2---');
      const xSubs = '          ^-------!        ';
      const ySubs = '          ----^-------!    ';
      const expected = '       -1---12---2-----|';
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$, y: y$ })))).toBe(expected);
      rx.expectSubscriptions(x$.subscriptions).toBe(xSubs);
      rx.expectSubscriptions(y$.subscriptions).toBe(ySubs);
    });
  });

  it('observeWhile keeps the watches of one owner out of the lists of another', () => {
    rxTest((rx) => {
      const values = { a: lists('web', 'x'), b: lists('api', 'x'), c: lists('web') };
      const list$ = rx.hot('a--b--c----', values);
      const x$ = rx.cold('  -1----2----');
      const expected = '    -1--1----2-';
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$ }))), '^----------!').toBe(expected);
      rx.expectSubscriptions(x$.subscriptions).toBe(['^-----!', '---^-------!']);
    });
  });

  it('observeWhile does not reopen a completed watch until it was missing from a list', () => {
    rxTest((rx) => {
      const values = { a: lists('web', 'x'), b: lists('web', 'x', 'y'), c: lists('web', 'y') };
      const list$ = rx.hot('a---b---c-a---', values);
      const x$ = rx.cold('  -1|');
      const expected = '    -1---------1--';
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$ }))), '^-------------!').toBe(expected);
      rx.expectSubscriptions(x$.subscriptions).toBe(['^-!', '----------^-!']);
    });
  });

  it('observeWhile contains and reports the error of a watch and does not reopen it', () => {
    const errors: unknown[] = [];
    rxTest((rx) => {
      const values = { a: lists('web', 'x', 'y'), b: lists('web', 'x', 'y', 'z') };
      const list$ = rx.hot('a----b---', values);
      const x$ = rx.cold('  -1-#     ', undefined, 'unwell');
      const y$ = rx.cold('  --2---2--');
      const expected = '    -12---2--';
      const onError = ({ key }: Keyed, error: unknown): void => void errors.push([key, error]);
      const ports = { ...openOf({ x: x$, y: y$ }), onError };
      rx.expectObservable(list$.pipe(observeWhile(ports)), '^--------!').toBe(expected);
      rx.expectSubscriptions(x$.subscriptions).toBe('^--!');
      rx.expectSubscriptions(y$.subscriptions).toBe('^--------!');
    });
    expect(errors).toEqual([['x', 'unwell']]);
  });

  it('observeWhile treats a watch that throws when opened as failed', () => {
    const errors: unknown[] = [];
    const told: string[] = [];
    function open({ key }: Keyed): Observable<string> {
      if (key === 'x') throw new Error('no such thing');
      return of(key);
    }
    const onError = ({ key }: Keyed, error: unknown): void => void errors.push([key, error]);
    listen(of(lists('web', 'x', 'y')).pipe(observeWhile({ open, onError })), (news) => told.push(news));
    expect(errors).toEqual([['x', new Error('no such thing')]]);
    expect(told).toEqual(['y']);
  });

  it('observeWhile contains the error of a closing watch and closes the others', () => {
    const errors: unknown[] = [];
    const closed: string[] = [];
    const list$ = new Subject<Listing<Keyed>>();
    function open({ key }: Keyed): Observable<never> {
      return new Observable(() => () => {
        closed.push(key);
        if (key === 'x') throw new Error('stuck');
      });
    }
    const onError = ({ key }: Keyed): void => void errors.push(key);
    listen(list$.pipe(observeWhile({ open, onError })));
    list$.next(lists('web', 'x', 'y'));
    list$.next(lists('web', 'z'));
    list$.next(lists('web'));
    expect({ errors, closed }).toEqual({ errors: ['x'], closed: ['x', 'y', 'z'] });
  });

  it('observeWhile closes the old watch before it opens the new one', () => {
    const log: string[] = [];
    const list$ = new Subject<Listing<Keyed>>();
    function open({ key }: Keyed): Observable<never> {
      return new Observable(() => {
        log.push(`open ${key}`);
        return () => void log.push(`close ${key}`);
      });
    }
    listen(list$.pipe(observeWhile({ open, onError: unexpected })));
    list$.next(lists('web', 'attempt 1'));
    list$.next(lists('web', 'attempt 2'));
    expect(log).toEqual(['open attempt 1', 'close attempt 1', 'open attempt 2']);
  });

  it('observeWhile queues a list that a watch causes while it is opened', () => {
    const log: string[] = [];
    const list$ = new Subject<Listing<Keyed>>();
    function open({ key }: Keyed): Observable<string> {
      return new Observable((subscriber) => {
        log.push(`open ${key}`);
        subscriber.next(key);
        return () => void log.push(`close ${key}`);
      });
    }
    listen(list$.pipe(observeWhile({ open, onError: unexpected })), (key) => {
      if (key === 'x') list$.next(lists('web', 'z'));
    });
    list$.next(lists('web', 'x', 'y'));
    expect(log).toEqual(['open x', 'open y', 'close x', 'close y', 'open z']);
  });

  it('observeWhile opens a key once that one list names twice', () => {
    rxTest((rx) => {
      const list$ = rx.hot('a---|', { a: lists('web', 'x', 'x') });
      const x$ = rx.cold('  -1---');
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$ })))).toBe('-1--|');
      rx.expectSubscriptions(x$.subscriptions).toBe(['^---!']);
    });
  });

  it('observeWhile closes everything if the lists fail, and passes the error on', () => {
    rxTest((rx) => {
      const list$ = rx.hot('a-b-#', { a: lists('web', 'x'), b: lists('api', 'y') });
      const x$ = rx.cold('  -1---');
      const y$ = rx.cold('    -2--');
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$, y: y$ })))).toBe('-1-2#');
      rx.expectSubscriptions(x$.subscriptions).toBe('^---!');
      rx.expectSubscriptions(y$.subscriptions).toBe('--^-!');
    });
  });

  it('observeWhile closes everything when it is unsubscribed', () => {
    rxTest((rx) => {
      const list$ = rx.hot('a-b-----', { a: lists('web', 'x'), b: lists('api', 'y') });
      const x$ = rx.cold('  -1------');
      const y$ = rx.cold('    -2-----');
      rx.expectObservable(list$.pipe(observeWhile(openOf({ x: x$, y: y$ }))), '^----!').toBe('-1-2--');
      rx.expectSubscriptions(list$.subscriptions).toBe('^----!');
      rx.expectSubscriptions(x$.subscriptions).toBe('^----!');
      rx.expectSubscriptions(y$.subscriptions).toBe('--^--!');
    });
  });

  it('observeWhile opens nothing more if its subscriber leaves at the first value of a list', () => {
    const alive = new Set<string>();
    const list$ = new Subject<Listing<Keyed>>();
    function open({ key }: Keyed): Observable<string> {
      return new Observable((subscriber) => {
        alive.add(key);
        subscriber.next(key);
        return () => void alive.delete(key);
      });
    }
    const told: string[] = [];
    const first$ = list$.pipe(observeWhile({ open, onError: unexpected }), take(1));
    listen(first$, (news) => told.push(news));
    list$.next(lists('web', 'x', 'y'));
    expect({ told, alive: [...alive], heard: list$.observed }).toEqual({
      told: ['x'],
      alive: [],
      heard: false,
    });
  });

  it('observeWhile visits the watches of one owner only, among ten thousand', () => {
    let looks = 0;
    const watch = (key: string): Keyed => ({
      get key() {
        looks += 1;
        return key;
      },
    });
    const opened: string[] = [];
    const list$ = new Subject<Listing<Keyed>>();
    function open({ key }: Keyed): Observable<never> {
      opened.push(key);
      return NEVER;
    }
    const subscription = listen(list$.pipe(observeWhile({ open, onError: unexpected })));
    for (let n = 0; n < 10_000; n += 1) list$.next({ owner: `service ${n}`, watches: [watch('timer')] });
    expect(opened).toHaveLength(10_000);
    looks = 0;
    list$.next({ owner: 'service 5000', watches: [watch('timer'), watch('probe')] });
    expect(opened.slice(10_000)).toEqual(['probe']);
    expect(looks).toBeLessThan(10);
    subscription.unsubscribe();
  });
});
