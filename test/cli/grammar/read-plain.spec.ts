import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../../src/cli/grammar/commands.ts';
import { FLAGS, VALUED, factsOf, isFlag, isValued } from '../../../src/cli/grammar/options.ts';
import { readFull } from '../../../src/cli/grammar/read-full.ts';
import { readPlain } from '../../../src/cli/grammar/read-plain.ts';

const options = [...Object.keys(VALUED), ...Object.keys(FLAGS)].filter(
  (name): name is keyof typeof VALUED | keyof typeof FLAGS => isValued(name) || isFlag(name),
);
const spelled = options.flatMap((name) => {
  const { short } = factsOf(name);
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
});

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...COMMAND_NAMES) },
  { weight: 5, arbitrary: fc.constantFrom(...spelled) },
  { weight: 3, arbitrary: fc.constantFrom('web', 'shop/web', './sup.yaml', '10', '007', 'a=b', '1e3') },
  { weight: 1, arbitrary: fc.constantFrom('-fn', '--json=true', '--', '-x', '', '--no-json') },
);

describe('the reader of plain command lines', () => {
  it('reads a command with its options', () => {
    expect(readPlain(['--json', 'status', '-p', 'shop'])).toEqual({
      command: 'status',
      flags: new Set(['json']),
      values: { project: 'shop' },
      tail: [],
    });
  });

  it('reads the word behind a command that takes one', () => {
    expect(readPlain(['forget', 'old.yaml'])?.operand).toBe('old.yaml');
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['stats']],
    ['an option of another command', ['status', '--follow']],
    ['an unknown option', ['status', '--jso']],
    ['a value that is missing', ['status', '-p']],
    ['a value that looks like an option', ['status', '-p', '--json']],
    ['an option given twice', ['status', '-p', 'a', '-p', 'b']],
    ['short options in one word', ['logs', '-fn', '3']],
    ['a value behind an equals sign', ['logs', '--lines=3']],
    ['a tail', ['start', '--', 'sleep', '1']],
    ['a call for help', ['start', '--help']],
    ['a word too many', ['status', 'web']],
    ['a word that is missing', ['forget']],
  ])('leaves %s to the full reader', (_what, line) => {
    expect(readPlain(line)).toBeUndefined();
  });

  it('reads what it reads exactly as the full reader does', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (line) => {
        const plain = readPlain(line);
        if (plain === undefined) return;
        compared += 1;
        expect(await readFull(line, 80)).toEqual({ tag: 'parsed', parsed: plain });
      }),
      { numRuns: 2000, seed: 7 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
