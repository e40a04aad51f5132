import { take } from 'rxjs';
import { describe, it } from 'vitest';
import { each } from '../../../src/streams/operators/each.ts';
import { rxTest } from '../../support/rx-test.ts';

const letters = (text: string): readonly string[] => text.match(/./g) ?? [];

describe('each', () => {
  it('each emits the parts of each value in order, and nothing for none', () => {
    rxTest((rx) => {
      const source$ = rx.hot('a-b-c-|', { a: 'xy', b: '', c: 'z' });
      rx.expectObservable(source$.pipe(each(letters))).toBe('(xy)z-|');
      rx.expectSubscriptions(source$.subscriptions).toBe('^-----!');
    });
  });

  it('each fails with the source and with an error of the mapper', () => {
    rxTest((rx) => {
      rx.expectObservable(rx.hot('a-#', { a: 'x' }).pipe(each(letters))).toBe('x-#');
      const told = (text: string): readonly string[] => {
        if (text === 'b') throw new Error('untold');
        return [text];
      };
      rx.expectObservable(rx.hot('a-b-a').pipe(each(told))).toBe('a-#', undefined, new Error('untold'));
    });
  });

  it('each stops emitting when its subscriber leaves within a value', () => {
    rxTest((rx) => {
      const source$ = rx.hot('-a-a', { a: 'xyz' });
      rx.expectObservable(source$.pipe(each(letters), take(2))).toBe('-(xy|)');
      rx.expectSubscriptions(source$.subscriptions).toBe('^!');
    });
  });
});
