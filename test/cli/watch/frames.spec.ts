import { map } from 'rxjs';
import { describe, it } from 'vitest';
import { frames, steps, type ViewInput } from '../../../src/cli/watch/frames.ts';
import { FIRST_SCENE } from '../../../src/cli/watch/model/scene.ts';
import { rxTest } from '../../support/rx-test.ts';

const second = (now: number): ViewInput => ({ tag: 'second', now });
const INPUTS: Readonly<Record<string, ViewInput>> = {
  ...{ 1: second(1), 2: second(2), 3: second(3), 4: second(4) },
  ...{ k: { tag: 'keys', keys: ['?'] }, q: { tag: 'keys', keys: ['q'] } },
};

/** Each drawn scene as a letter: its time, in upper case (A for 1) if the page of keys is open. */
const DRAWN = { a: '1', b: '2', c: '3', d: '4', A: '1?', B: '2?', z: '0?' };

describe('the frames of the live view', () => {
  it.each([
    ['changes are drawn together after 100 ms', '        123 99ms 4', '100ms c 101ms d'],
    ['a key is drawn at once, and no older change after it', '1 49ms k', '50ms A'],
    ['a change after a key is drawn too', '              1 49ms k 2', '50ms A 49ms B'],
    ['many keys are drawn at most every 20 ms', '        kkk', '   z 19ms z'],
  ])('%s', (_, inputs, drawn) =>
    rxTest(({ hot: hot$, expectObservable }) => {
      const scene$ = frames(steps(hot$(inputs, INPUTS), FIRST_SCENE));
      const shown$ = scene$.pipe(map(({ now, isHelp }) => `${now}${isHelp ? '?' : ''}`));
      expectObservable(shown$, '            300ms !').toBe(drawn, DRAWN);
    }),
  );

  it('keys request what the view then does', () =>
    rxTest(({ cold: cold$, expectObservable }) => {
      const step$ = steps(cold$('kkq|', INPUTS), FIRST_SCENE);
      const types$ = step$.pipe(map(({ intents }) => intents.map(({ type }) => type).join('')));
      expectObservable(types$).toBe('nnq|', { n: '', q: 'quit' });
    }));
});
