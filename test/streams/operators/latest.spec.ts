import { describe, it } from 'vitest';
import { latest } from '../../../src/streams/operators/latest.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('latest', () => {
  it('gives late readers the last value, and opens the source once', () => {
    rxTest((rx) => {
      const source$ = rx.cold('a--b--c--');
      const shared$ = source$.pipe(latest());
      rx.expectObservable(shared$, '^-------!').toBe('a--b--c-');
      rx.expectObservable(shared$, '----^---!').toBe('----b-c-');
      rx.expectSubscriptions(source$.subscriptions).toBe('^-------!');
    });
  });

  it('closes the source with its last reader, and forgets the value', () => {
    rxTest((rx) => {
      const source$ = rx.cold('-a-----');
      const shared$ = source$.pipe(latest());
      rx.expectObservable(shared$, '^--!').toBe('     -a-----');
      rx.expectObservable(shared$, '-----^---!').toBe('------a---');
      rx.expectSubscriptions(source$.subscriptions).toBe(['^--!', '-----^---!']);
    });
  });

  it('tells everybody of an error, then starts anew', () => {
    rxTest((rx) => {
      const source$ = rx.cold('a-#');
      const shared$ = source$.pipe(latest());
      rx.expectObservable(shared$).toBe('a-#');
      rx.expectObservable(shared$, '-^').toBe('-a#');
      rx.expectObservable(shared$, '----^').toBe('----a-#');
      rx.expectSubscriptions(source$.subscriptions).toBe(['^-!', '----^-!']);
    });
  });

  it('keeps the last value of a source that completed', () => {
    rxTest((rx) => {
      const source$ = rx.cold('a-b|');
      const shared$ = source$.pipe(latest());
      rx.expectObservable(shared$).toBe('a-b|');
      rx.expectObservable(shared$, '-----^').toBe('-----(b|)');
      rx.expectSubscriptions(source$.subscriptions).toBe('^--!');
    });
  });
});
