import { describe, expect, it } from 'vitest';
import { commandFacts, COMMAND_NAMES } from '../../../src/cli/grammar/command-table.ts';
import { translated } from '../../../src/cli/grammar/words-of-other-programs.ts';
import type { Parsed } from '../../../src/cli/grammar/parsed-line.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';
import { allHints, commandsIn } from '../../support/hints.ts';

/** Operands that are words of a command and no names. */
const WORDS: ReadonlySet<string> = new Set([
  ...['install', 'remove', 'status', 'bash', 'zsh', 'fish', 'restart'],
  ...['Procfile', '-'],
]);

/** A name in a hint is a placeholder, or has a sign that no word of a sentence has. */
const isName = (operand: string): boolean => WORDS.has(operand) || /[<>/.*"=]/.test(operand);

const wordsOf = (command: string): readonly string[] =>
  command
    .replaceAll(/[[\]]/g, '')
    .replaceAll(/"[^"]*"|'[^']*'/g, '<quoted>')
    .split(/\s+/)
    .slice(1);

const read = (words: readonly string[]): Parsed | undefined => {
  const reading = readLine(words);
  return reading.tag === 'parsed' ? reading.parsed : undefined;
};

/** What is wrong with a command in a hint; `undefined`: a person can paste it. */
const problemOf = (command: string): string | undefined => {
  const words = wordsOf(command);
  try {
    const parsed = read(translated(words));
    const word = parsed?.operands.find((operand) => !isName(operand));
    return word === undefined ? undefined : `"${word}" stands where a name is expected`;
  } catch (error) {
    return String(error);
  }
};

/** Its command is inserted when the hint is written. */
const isOpen = (command: string): boolean => command.startsWith('sup <');

const problemsOf = (text: string): readonly string[] =>
  commandsIn(text)
    .filter((command) => !isOpen(command))
    .flatMap((command) => {
      const problem = problemOf(command);
      return problem === undefined ? [] : [`${command}: ${problem}`];
    });

describe('the commands in hints', () => {
  it('commands in hints of the source are accepted by the command line', () => {
    const hints = allHints().filter(({ text }) => commandsIn(text).length > 0);
    expect(hints.length).toBeGreaterThan(100);
    const wrong = hints.flatMap(({ text, at }) => problemsOf(text).map((problem) => `${at}  ${problem}`));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['sup status shows what runs', '"shows" stands'],
    ['sup start -c registers again', '"again" stands'],
    ['first: sup strat <service>', 'unknown command'],
    ['stop it, then: sup stop --hree', 'no option --hree'],
  ])('commands would be found in "%s"', (text, problem) => {
    expect(problemsOf(text).join()).toContain(problem);
  });

  it.each(COMMAND_NAMES)('the examples of sup %s are accepted', (name) => {
    const lines = commandFacts(name).examples.map(([line]) => line.replace(/^source <\(|\)$| > .*$/g, ''));
    expect(lines.flatMap(problemsOf)).toEqual([]);
  });
});
