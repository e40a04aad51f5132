// Files and folders that documents and comments name: each of them exists. If you move a file, change them too.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/docs/pointers.ts';

const FOLDERS = ['src', 'test', 'docs', 'marbles', 'examples', 'bench', 'scripts', 'mutation'];
const ROOMS = ['cli', 'manifest', 'os', 'sinks', 'sources', 'streams', 'supervisor'];

const PAGES = [
  ...filesBelow(['docs'], ['.md']),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'marbles/README.md'],
];
const SOURCES = filesBelow(['src'], ['.ts']);
const CODE = [...SOURCES, ...filesBelow(['test', 'bench', 'scripts'], ['.ts', '.js', '.mjs'])];

/** A whole path between backticks: `src/streams/kernel/loop.ts`. */
const PATH = new RegExp(`\`((?:${FOLDERS.join('|')})/[^\`\\s]*)\``, 'g');
/** The end of a path between backticks: `kernel/loop.ts`. */
const MODULE = /`([\w./-]+\.ts)`/g;
/** The same in a comment, also without backticks. */
const IN_COMMENT = /(?<![\w./-])([\w/-][\w./-]*\.ts)\b/g;
/** A folder in a comment, from its room on. */
const ROOM = new RegExp(`\`((?:${ROOMS.join('|')})/[\\w./-]+)\``, 'g');

/** Stands for many files: `test/…/<name>.spec.ts`. */
const isPattern = (path: string): boolean => /[<…*{]/.test(path);

const ENDS = new Set(
  CODE.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, index) => parts.slice(index).join('/'));
  }),
);

/** A path from the root, from `src`, or the end of the path of a module. */
const isThere = (path: string): boolean => existsSync(path) || existsSync(`src/${path}`) || ENDS.has(path);

const found = (text: string, ...patterns: readonly RegExp[]): readonly string[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path))
    .filter((path) => !isPattern(path));

const COMMENT = /^\s*(?:\/\/|\/?\*).*$|\/\*\*.*\*\/|(?<=[\s;])\/\/ .*$/gm;

const commentsIn = (file: string): string => (readFileSync(file, 'utf8').match(COMMENT) ?? []).join('\n');

const inPages = PAGES.map((page) => [page, found(readFileSync(page, 'utf8'), PATH, MODULE)] as const);
const inComments = SOURCES.map((file) => [file, found(commentsIn(file), PATH, IN_COMMENT, ROOM)] as const);

const missing = (named: readonly (readonly [string, readonly string[]])[]): readonly string[] =>
  named.flatMap(([file, paths]) => paths.filter((path) => !isThere(path)).map((path) => `${file}: ${path}`));

const countOf = (named: readonly (readonly [string, readonly string[]])[]): number =>
  named.flatMap(([, paths]) => paths).length;

describe('files and folders', () => {
  it('files and folders that documents name exist', () => {
    expect(missing(inPages)).toEqual([]);
    expect(countOf(inPages)).toBeGreaterThan(400);
  });

  it('files and folders that comments name exist', () => {
    expect(missing(inComments)).toEqual([]);
    expect(countOf(inComments)).toBeGreaterThan(60);
  });

  it('a missing file or folder is found by this test', () => {
    const text = 'see `src/streams/nowhere.ts` and `kernel/nothing.ts`, but not `src/<room>/x.ts`';
    expect(missing([['page', found(text, PATH, MODULE)]])).toEqual([
      'page: src/streams/nowhere.ts',
      'page: src/streams/nowhere.ts',
      'page: kernel/nothing.ts',
    ]);
    expect(isThere('kernel/loop.ts')).toBe(true);
  });
});
