// Plain English: words that comments and documents do not use, the width of comments, and how docstrings begin.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './support/docs/pointers.ts';

/** Words for people, who rarely appear in code, and words of a dialect. */
const FOREIGN = /\b(?:nobody|somebody|everybody|anybody|whoever|whom|anew)\b/i;
const FOREIGN_IN_COMMENTS = /\b(?:nobody|somebody|everybody|anybody|whoever|whom|who|anew)\b/i;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
const DIRECTIVE = /eslint-disable|https?:/;
const PRONOUN = /\/\*\*\s+(?:Of|It|They|He|She|This one|Who|All of (?:it|them))\b/;
const WIDTH = 110;

/** Without fenced blocks: they show what programs print. Every other line stays in its place. */
const withoutBlocks = (text: string): string =>
  text.replace(/^```[^]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''));

/** Without code and quotations: a heading, or a user called `nobody`. */
const ownWords = (text: string): string => text.replace(/`[^`]*`|"[^"]*"|\]\([^)]*\)/g, '');

/** `file:line: text` for each line that is wrong. */
const linesOf = (files: readonly string[], isWrong: (line: string) => boolean): readonly string[] =>
  files.flatMap((file) =>
    withoutBlocks(readFileSync(file, 'utf8'))
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

const SOURCES = filesBelow(['src', 'bench', 'scripts'], ['.ts', '.tsx', '.js', '.css']);
const PAGES = [...filesBelow(['docs'], ['.md']), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

describe('comments', () => {
  it('comments use no words for people and no dialect', () => {
    const isWrong = (line: string): boolean => COMMENT.test(line) && FOREIGN_IN_COMMENTS.test(ownWords(line));
    expect(linesOf(SOURCES, isWrong)).toEqual([]);
  });

  it(`comments are at most ${WIDTH} columns wide`, () => {
    const isWide = (line: string): boolean =>
      line.length > WIDTH && COMMENT.test(line) && !DIRECTIVE.test(line);
    expect(linesOf(SOURCES, isWide)).toEqual([]);
  });

  it('docstrings begin with what they describe, not with a pronoun', () => {
    expect(linesOf(SOURCES, (line) => PRONOUN.test(line))).toEqual([]);
  });

  it('a wrong comment is found by this test', () => {
    expect(FOREIGN_IN_COMMENTS.test(ownWords('/** Whoever asks first. */'))).toBe(true);
    expect(FOREIGN_IN_COMMENTS.test(ownWords('// Runs as the user `nobody`.'))).toBe(false);
    expect(PRONOUN.test('/** Of a rollout: it turned. */')).toBe(true);
  });
});

describe('documents', () => {
  it('documents use no words for people and no dialect', () => {
    expect(linesOf(PAGES, (line) => FOREIGN.test(ownWords(line)))).toEqual([]);
  });
});
