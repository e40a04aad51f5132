// No regular expression of the program takes more than linear time, whatever text it is given: services, files, clients
// and the environment decide what most of them are applied to. `recheck` works on the automaton of each pattern.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const patternsIn = (file: string): readonly string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
};

const PATTERNS = [
  ...new Set(
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => patternsIn(join('src', name))),
  ),
];

/**
 * An attack that takes longer than `attackTimeout` counts as a success, so on a busy machine any pattern could be called
 * vulnerable. Without it, only the number of characters that the attack reads decides.
 */
const LIMITS = { timeout: 60_000, attackTimeout: null };

const statusOf = async (pattern: string): Promise<string> => {
  const end = pattern.lastIndexOf('/');
  const { status } = await check(pattern.slice(1, end), pattern.slice(end + 1), LIMITS);
  return status;
};

describe('regular expressions of the program', () => {
  it('regular expressions of the program are found', () => {
    expect(PATTERNS.length).toBeGreaterThan(100);
  });

  it('a quadratic regular expression is noticed by the check', async () => {
    expect(await statusOf(String.raw`/\r+$/`)).toBe('vulnerable');
  });

  it('regular expressions of the program take linear time', { timeout: 120_000 }, async () => {
    const found: string[] = [];
    for (const pattern of PATTERNS) {
      const status = await statusOf(pattern);
      if (status !== 'safe') found.push(`${status} ${pattern}`);
    }
    expect(found).toEqual([]);
  });
});
