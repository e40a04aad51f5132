import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  'README.md',
  ...['docs', 'docs/tutorial', 'docs/how-to'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
  'marbles/README.md',
];
const linksOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);

describe('the documentation', () => {
  it.each(pages)('the page %s links to existing pages', (page) => {
    expect(linksOf(page).filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it('the index of the documentation lists each page', () => {
    const listed = linksOf('docs/index.md').map((target) => join('docs', target));
    expect(
      pages.filter((page) => page.startsWith('docs/') && page !== 'docs/index.md' && !listed.includes(page)),
    ).toEqual([]);
  });
});
