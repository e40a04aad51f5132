import { describe, expect, it } from 'vitest';
import { hooksOver, hooksText } from '../../../src/streams/hooks/hooks-over.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { rxTest } from '../../support/rx-test.ts';

const ID = serviceId(projectId('shop'), 'web');
const A = { service: ID, run: runId(1), name: 'onstart' } as const;
const B = { service: ID, run: runId(1), name: 'on_stop.success' } as const;

/** What begins a hook, as far as it is looked at. */
const effect = ({ service, run, name }: typeof A | typeof B): object => ({
  spec: { id: service },
  occasion: { run, name },
});
const over = (hook: object): object => ({ event: { ...hook, type: 'hook-ended' } });

interface Lanes {
  readonly hook: string;
  readonly step: string;
  readonly still: string;
  readonly hurried?: string;
  readonly handed?: readonly (typeof A)[];
}

/**
 * Lanes: in `hook` `a` and `b` begin, in `step` they end (`o`: anything else happens), `s` all is still, `h` somebody is in a
 * hurry; patience is 10 ms. Expected: who is waited for, `a`, `b`, both (`c`) or nobody (`0`).
 */
const story = ({ hook, step, still, hurried = '-', handed }: Lanes, expected: string): void =>
  rxTest((rx) => {
    const steps = { a: over(A), b: over(B), o: { event: { type: 'exited' } } };
    const needed = {
      hook$: rx.hot(hook, { a: effect(A), b: effect(B) }),
      step$: rx.hot(step, steps),
      still$: rx.hot(still),
      hurried$: rx.hot(hurried),
      patience: ms(10),
      ...(handed && { handed }),
    };
    rx.expectObservable(hooksOver(needed as never)).toBe(expected, {
      ...{ a: [A], b: [B], c: [A, B] },
      '0': [],
    });
  });

describe('the hooks of an end', () => {
  it('are over at once when there are none', () =>
    story({ hook: '-----', step: '-o---', still: '--s--' }, '--(0|)'));

  it('are over before all is still, and nobody hears of it until it is', () =>
    story({ hook: '-a---', step: '--a--', still: '----s' }, '----(0|)'));

  it('are over when the last of them has ended', () =>
    story({ hook: '-a-b-----', step: '----ob-a-', still: '---s-----' }, '---c-a-(0|)'));

  it('are waited for also where they begin in the very moment in which all is still', () =>
    story({ hook: '--a---', step: '----a-', still: '--s---' }, '--a-(0|)'));

  it('are waited for where another program has begun them', () =>
    story({ hook: '------', step: '----a-', still: '--s---', handed: [A] }, '--a-(0|)'));

  it('are not waited for any longer than patience lasts, counted from then on', () =>
    story({ hook: '-a-------', step: '---------', still: '---s-----' }, '---a 9ms (a|)'));

  it('are not waited for when somebody is in a hurry, once all is still', () =>
    story({ hook: '-a-------', step: '---------', still: '---s-----', hurried: '-h---h' }, '---a-(a|)'));

  it('are named with their services', () =>
    expect(hooksText([A, B])).toBe('shop/web onstart, shop/web on_stop.success'));
});
