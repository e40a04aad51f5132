import { describe, expect, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { guarded } from '../../../src/streams/operators/guarded.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('guarded', () => {
  it('guarded subscribes to the source again after a pause when it fails', () => {
    rxTest((rx) => {
      const source$ = rx.cold('-a-#', undefined, new Error('unwell'));
      const subs = [
        '                   ^--!          ',
        '                   -----^--!     ',
        '                   ----------^--!',
      ];
      const expected = '       -a----a----a---';
      const until = '          ^-------------!';
      const guard = { onError: () => undefined, pause: ms(2) };
      rx.expectObservable(source$.pipe(guarded('probe', guard)), until).toBe(expected);
      rx.expectSubscriptions(source$.subscriptions).toBe(subs);
    });
  });

  it('guarded reports each error with the name of the source', () => {
    const unwell = new Error('unwell');
    const reports: unknown[] = [];
    rxTest((rx) => {
      const guard = { onError: (...report: unknown[]) => void reports.push(report), pause: ms(2) };
      const source$ = rx.cold('a--#', undefined, unwell);
      rx.expectObservable(source$.pipe(guarded('probe', guard)), '^--------!').toBe('a----a---');
    });
    expect(reports).toEqual([
      ['probe', unwell],
      ['probe', unwell],
    ]);
  });

  it('guarded completes with its source', () => {
    rxTest((rx) => {
      const source$ = rx.cold('-a-|');
      const guard = { onError: () => undefined, pause: ms(2) };
      rx.expectObservable(source$.pipe(guarded('probe', guard))).toBe('-a-|');
      rx.expectSubscriptions(source$.subscriptions).toBe('^--!');
    });
  });

  it('guarded does not subscribe again after it is unsubscribed', () => {
    rxTest((rx) => {
      const source$ = rx.cold('-#');
      const guard = { onError: () => undefined, pause: ms(5) };
      rx.expectObservable(source$.pipe(guarded('probe', guard)), '^--!').toBe('----');
      rx.expectSubscriptions(source$.subscriptions).toBe('^!');
    });
  });
});
