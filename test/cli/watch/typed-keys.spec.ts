import { describe, it } from 'vitest';
import { typedKeys } from '../../../src/cli/watch/typed-keys.ts';
import { rxTest } from '../../support/rx-test.ts';

describe('the keys that a terminal sends', () => {
  it('keys that arrive in one piece are separated', () =>
    rxTest(({ cold: cold$, expectObservable }) => {
      const typed$ = cold$('                    (ab|)', {
        a: 'j\u001b[A\u001bOC\u001b[5~\u001b[20~',
        b: '\u0003\u001aé漢',
      });
      const a = ['j', 'up', 'right', 'page-up', '\u001b[20~'];
      expectObservable(typedKeys(typed$)).toBe('(ab|)', { a, b: ['interrupt', 'suspend', 'é', '漢'] });
    }));

  it('a sequence that arrives in parts is one key', () =>
    rxTest(({ cold: cold$, expectObservable }) => {
      const typed$ = cold$('                     a 9ms b 9ms c|', { a: 'j\u001b', b: '[', c: 'A' });
      expectObservable(typedKeys(typed$)).toBe('j 19ms u|', { j: ['j'], u: ['up'] });
    }));

  it('Escape is a key if nothing follows within 50 ms', () =>
    rxTest(({ cold: cold$, expectObservable }) => {
      const typed$ = cold$('                     a 99ms b|', { a: '\u001b', b: '[A' });
      expectObservable(typedKeys(typed$)).toBe('50ms e 49ms k|', { e: ['escape'], k: ['[', 'A'] });
    }));
});
