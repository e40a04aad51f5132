import { describe, expect, it } from 'vitest';
import { awaitedText, hooksOver, hooksText } from '../../../src/streams/hooks/wait-for-hooks.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { rxTest } from '../../support/rx-test.ts';

const ID = serviceId(projectId('shop'), 'web');
const A = { service: ID, run: runId(1), name: 'onstart' } as const;
const B = { service: ID, run: runId(1), name: 'on_stop.success' } as const;

/** The part of a `run-hook` effect that the code under test reads. */
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
 * Marbles: in `hook`, the hooks `a` and `b` begin; in `step`, they end (`o`: any other event). `s`:
 * everything except hooks has ended. `h`: the end is urgent. The time limit is 10 ms.
 * Expected: the awaited hooks, which are `a`, `b`, both (`c`) or none (`0`).
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

describe('the hooks at the end of the supervisor', () => {
  it('the end waits for no hooks if there are none', () =>
    story({ hook: '-----', step: '-o---', still: '--s--' }, '--(0|)'));

  it('the end is announced only when all is quiet, although hooks are over before', () =>
    story({ hook: '-a---', step: '--a--', still: '----s' }, '----(0|)'));

  it('the end waits for the last running hook', () =>
    story({ hook: '-a-b-----', step: '----ob-a-', still: '---s-----' }, '---c-a-(0|)'));

  it('the end also waits for hooks that start at the moment all is quiet', () =>
    story({ hook: '--a---', step: '----a-', still: '--s---' }, '--a-(0|)'));

  it('the end waits for hooks that another program started', () =>
    story({ hook: '------', step: '----a-', still: '--s---', handed: [A] }, '--a-(0|)'));

  it('the end waits for hooks no longer than the time limit, counted from then on', () =>
    story({ hook: '-a-------', step: '---------', still: '---s-----' }, '---a 9ms (a|)'));

  it('the end does not wait for hooks if it is urgent and all is quiet', () =>
    story({ hook: '-a-------', step: '---------', still: '---s-----', hurried: '-h---h' }, '---a-(a|)'));

  it('hooks that the end waits for are named with their services', () =>
    expect(hooksText([A, B])).toBe('shop/web onstart, shop/web on_stop.success'));

  it('the message about hooks that the supervisor waits for names them', () =>
    expect(awaitedText([A])).toBe('the supervisor ends as soon as these hooks are over: shop/web onstart'));
});
