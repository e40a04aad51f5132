// docs/contributing against the tree: the walks name files that exist, and are short.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = 'docs/contributing';
const MOST_LINES = 120;

const names = readdirSync(FOLDER).sort();
const pages = names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);

/** Paths between backticks, without those that stand for many: `marbles/<subject>`, `test/….spec.ts`. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|test|docs|marbles|examples|bench|scripts)\/[^`\s<…*]+)`/g)].map(
    ([, path = '']) => path,
  );

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);

describe('the pages for contributors', () => {
  it.each(pages)('%s names files and folders that exist', (_, text) => {
    expect(pathsIn(text).filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each([
    ...pages.map(([name, text]) => [join(FOLDER, name), text] as const),
    ['CONTRIBUTING.md', readFileSync('CONTRIBUTING.md', 'utf8')] as const,
  ])('%s links to pages that exist', (page, text) => {
    expect(linksIn(text).filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it.each(pages)(`%s has at most ${MOST_LINES} lines`, (_, text) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('the pages for contributors are all listed on their first page', () => {
    const [, index = ''] = pages.find(([name]) => name === 'index.md') ?? [];
    expect(names.filter((name) => name !== 'index.md' && !linksIn(index).includes(name))).toEqual([]);
  });

  it('the pages for contributors name many files, so that a wrong pattern would be noticed', () => {
    expect(pages.flatMap(([, text]) => pathsIn(text)).length).toBeGreaterThan(100);
  });
});
