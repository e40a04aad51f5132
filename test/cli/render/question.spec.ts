import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/cli/context.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import { confirmed } from '../../../src/cli/render/question.ts';
import { contextIn, fakeWorld, type Heard } from '../support/fake-world.ts';

const ASKED = { about: ['this goes'], question: 'Remove it?', yes: 'sup purge --yes' };

/** A context in which a user at a terminal types this key. */
const typing = (heard: Heard, key: string): Context => {
  const context = contextIn(heard);
  const keyboard: Context['world']['keyboard'] = {
    ...context.world.keyboard,
    isThere: true,
    onTyped: (listener) => {
      queueMicrotask(() => listener(key));
      return () => undefined;
    },
  };
  return { ...context, world: { ...context.world, keyboard } };
};
const terminal = { columns: 80, rows: 24 };

describe('a question', () => {
  it.each([
    ['y', true, 'yes'],
    ['Y', true, 'yes'],
    ['y\r', true, 'yes'],
    ['yes\n', true, 'yes'],
    ['n', false, 'no'],
    ['n\r', false, 'no'],
    ['yonder\r', false, 'no'],
    ['\r', false, 'no'],
    ['\u0003', false, 'no'],
  ])('a question that is answered by %j', async (key, agreed, word) => {
    const heard = fakeWorld({ terminal });
    expect(await confirmed(typing(heard, key), ASKED)).toBe(agreed);
    expect(heard.err()).toBe(`this goes\nRemove it? [y/N] ${word}\n`);
    expect(heard.out()).toBe('');
  });

  it('a question that cannot be asked is shown and refused with the command that needs no answer', async () => {
    const heard = fakeWorld();
    const refusal = await confirmed(typing(heard, 'y'), ASKED).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Failure);
    expect(refusal).toMatchObject({ exit: 'usage', document: { code: 'ERR0200', hint: 'sup purge --yes' } });
    expect(heard.err()).toBe('this goes\n');
  });

  it('a question is refused without text for --json', async () => {
    const heard = fakeWorld({ terminal });
    const context = { ...typing(heard, 'y'), json: true };
    await expect(confirmed(context, ASKED)).rejects.toBeInstanceOf(Failure);
    expect(heard.err()).toBe('');
  });
});
