import { describe, it } from 'vitest';
import { hooksOver } from '../../../src/cli/offline/hooks-over.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { rxTest } from '../../support/rx-test.ts';

/** Lanes: `h` a hook begins, `e` one ends (`o`: anything else happens), `r` the answer; patience is 10 ms. */
const story = (lanes: { hook: string; step: string; reply: string }, expected: string): void =>
  rxTest((rx) => {
    const step = { e: { event: { type: 'hook-ended' } }, o: { event: { type: 'exited' } } };
    const derived = {
      hook$: rx.hot(lanes.hook),
      step$: rx.hot(lanes.step, step),
      reply$: rx.hot(lanes.reply),
    };
    rx.expectObservable(hooksOver(derived as never, ms(10))).toBe(expected, { y: true, n: false });
  });

describe('the hooks of a stop', () => {
  it('are over with the answer when there are none', () =>
    story({ hook: '-----', step: '-o---', reply: '--r--' }, '--(y|)'));

  it('are over before the answer, and nobody hears of it until that is there', () =>
    story({ hook: '-h---', step: '--e--', reply: '----r' }, '----(y|)'));

  it('are over when the last of them has ended', () =>
    story({ hook: '-h-h-----', step: '----oe-e-', reply: '---r-----' }, '-------(y|)'));

  it('are not waited for any longer than patience lasts, counted from the answer', () =>
    story({ hook: '-h-------', step: '---------', reply: '---r-----' }, '--- 10ms (n|)'));
});
