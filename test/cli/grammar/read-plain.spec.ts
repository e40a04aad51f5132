import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/streams/views/errors/failure.ts';
import { COMMAND_NAMES } from '../../../src/cli/grammar/command-table.ts';
import { factsOf, OPTION_NAMES } from '../../../src/cli/grammar/option-table.ts';
import { readFull } from '../../../src/cli/grammar/read-full.ts';
import { readPlain } from '../../../src/cli/grammar/read-plain.ts';

const spelled = OPTION_NAMES.flatMap((name) => {
  const { short } = factsOf(name);
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
});

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...COMMAND_NAMES) },
  { weight: 5, arbitrary: fc.constantFrom(...spelled) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('web', 'shop/web', 'web-*', './sup.yaml', '10', '007', 'a=b', '1e3'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('-fn', '--json=true', '--json=1', 'true', '--', '-x', '', '--no-json'),
  },
);

/** What it reads, or the document with which it refuses. */
const outcomeOf = async <T>(read: () => T | Promise<T>): Promise<T | { readonly refused: unknown }> => {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure) return { refused: thrown.document };
    throw thrown;
  }
};

describe('the quick reader of plain command lines', () => {
  it('the quick reader reads a command with its options', () => {
    expect(readPlain(['--json', 'status', '-p', 'shop', 'web', '-s', 'db', '-p', 'blog'])).toEqual({
      command: 'status',
      flags: new Set(['json']),
      values: { project: ['shop', 'blog'], service: ['db'] },
      operands: ['web'],
      tail: [],
    });
  });

  it('the quick reader reads the argument of a command that takes one', () => {
    expect(readPlain(['forget', 'old.yaml'])?.operands).toEqual(['old.yaml']);
  });

  it.each([
    ['an unknown option', ['status', '--jso']],
    ['a value that is missing', ['status', '-p']],
    ['a value that looks like an option', ['status', '-p', '--json']],
    ['short options in one word', ['logs', '-fn', '3']],
    ['a value behind an equals sign', ['logs', '--lines=3']],
    ['a tail', ['start', '--', 'sleep', '1']],
    ['an empty word', ['stop', '']],
    ['a call for help', ['start', '--help']],
    ['a call for the version', ['start', '--version']],
  ])('the quick reader leaves %s to the full reader', (_what, line) => {
    expect(readPlain(line)).toBeUndefined();
  });

  it.each([
    ['no command', ['--json']],
    ['an unknown command', ['stats']],
    ['an option of another command', ['status', '--follow']],
    ['a letter of another command', ['shutdown', '-p', 'shop']],
    ['an option given twice', ['stop', '-c', 'a', '-c', 'b']],
    ['a word too many', ['validate', 'a', 'b']],
    ['a word that is missing', ['forget']],
  ])('the quick reader refuses %s like the full reader', async (_what, line) => {
    const refusal = await outcomeOf(() => readFull(line, 80));
    expect(refusal).toHaveProperty('refused');
    expect(await outcomeOf(() => readPlain(line))).toEqual(refusal);
  });

  it('the quick reader reads exactly like the full reader', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (line) => {
        const plain = await outcomeOf(() => readPlain(line));
        if (plain === undefined) return;
        compared += 1;
        const full = await outcomeOf(() => readFull(line, 80));
        expect(full).toEqual('refused' in plain ? plain : { tag: 'parsed', parsed: plain });
      }),
      { numRuns: 2000, seed: 7 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
