// What `npm run docs` does around the generator: the navigation, the copy of the pages, and the check of links.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSite } from '../../site/check.ts';
import { barFor, groupsIn, navigation, sidebarFor } from '../../site/navigation.ts';
import { slug } from '../../site/slug.ts';
import { rewritten, stage } from '../../site/stage.ts';
import { filesBelow, headingsOf, linkTo } from '../support/docs/pointers.ts';

describe('the navigation of the site', () => {
  const { nav, sidebar } = navigation('docs');
  const linksOf = (place: string): readonly string[] =>
    (sidebar[place] ?? []).flatMap(({ items }) => items.map(({ link }) => link));
  const pageOf = (link: string): string =>
    link.startsWith('/source/')
      ? link.replace('/source/', '').concat('.md')
      : join('docs', link.endsWith('/') ? `${link}index.md` : `${link}.md`);

  it('has an entry in the bar for each kind of page', () => {
    const kinds = [...readFileSync('docs/index.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, kind]) => kind);
    expect(kinds.length).toBeGreaterThan(4);
    expect(nav).toHaveLength(kinds.length);
  });

  it('leads to pages that exist', () => {
    const links = [...nav.map(({ link }) => link), ...Object.keys(sidebar).flatMap(linksOf)];
    expect(links.length).toBeGreaterThan(50);
    expect(links.map(pageOf).filter((page) => !existsSync(page))).toEqual([]);
  });

  it('keeps the pages of users and those of developers apart', () => {
    const users = linksOf('/');
    const developers = linksOf('/contributing/');
    expect(users).toContain('/manifest');
    expect(developers).toEqual(
      expect.arrayContaining(['/architecture', '/decisions/', '/contributing/command']),
    );
    expect(users.filter((link) => developers.includes(link))).toEqual([]);
  });

  it('shows every page but decisions somewhere', () => {
    const shown = [...linksOf('/'), ...linksOf('/contributing/')].map(pageOf);
    const pages = filesBelow(['docs'], ['.md']).filter(
      (page) => !page.startsWith('docs/decisions/') && page !== 'docs/index.md',
    );
    expect(pages.filter((page) => !shown.includes(page))).toEqual([]);
  });

  it('is made of the headings of the index', () => {
    const groups = groupsIn(
      '# A\n\n## Coming from another tool\n\n| [Page](one.md) | x |\n\n## For developers\n\n[B](b.md) [C](contributing/index.md)\n',
    );
    expect(barFor(groups)).toEqual([
      { text: 'Coming from…', link: '/one' },
      { text: 'For developers', link: '/b' },
    ]);
    expect(Object.keys(sidebarFor(groups, ''))).toEqual([
      '/b',
      '/contributing/',
      '/decisions/',
      '/source/',
      '/',
    ]);
    expect(() => sidebarFor(groups.slice(0, 1), '')).toThrow('contributing/index.md');
  });
});

describe('the anchors of the site', () => {
  it('are those that links between the pages use', () => {
    const pages = filesBelow(['docs'], ['.md']).filter((page) => /^docs\/[^/]+$/.test(page));
    const pointers = pages.flatMap((page) =>
      [...headingsOf(page)].map((heading) => ({ page, headings: [heading] })),
    );
    const linked = pointers.filter(({ headings: [heading = ''] }) => !/^ERR\d{4}$/.test(heading));
    expect(linked.length).toBeGreaterThan(300);
    for (const pointer of linked) expect(linkTo(pointer)).toContain(`#${slug(pointer.headings[0] ?? '')})`);
  });
});

describe('the links of the pages', () => {
  const pages = [...filesBelow(['docs'], ['.md']), 'README.md', 'CONTRIBUTING.md'];
  const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '');

  /** The second heading of one title on a page ends with `-1`. */
  const anchorsOf = (page: string): ReadonlySet<string> => {
    const anchors = new Set<string>();
    for (const [, title = ''] of textOf(page).matchAll(/^#+ (.+)$/gm)) {
      const anchor = slug(title.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      anchors.add(anchors.has(anchor) ? `${anchor}-1` : anchor);
    }
    return anchors;
  };

  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)].map(([, path = '', anchor = '']) => ({
      page,
      target: path === '' ? page : normalize(join(dirname(page), path)),
      anchor,
    })),
  );

  it('with an anchor lead to a heading', () => {
    expect(links.length).toBeGreaterThan(200);
    const dead = links.filter(({ target, anchor }) => !anchorsOf(target).has(anchor));
    expect(dead).toEqual([]);
  });
});

describe('the copy of a page', () => {
  const isFile = (path: string): boolean => !path.endsWith('gone.md') && !path.endsWith('/');

  it.each([
    ['docs/hooks.md', '[x](b.md#c)', '[x](b.md#c)', []],
    [
      'docs/how-to/troubleshooting.md',
      '[x](../../examples/README.md)',
      '[x](../source/examples/README.md)',
      ['examples/README.md'],
    ],
    ['docs/hooks.md', '[x](../marbles/b.marble)', '[x](source/marbles/b.marble.txt)', ['marbles/b.marble']],
    ['CONTRIBUTING.md', '[x](docs/hooks.md#b)', '[x](../hooks.md#b)', []],
    ['docs/hooks.md', '[x](gone.md)', '[x](gone.md)', []],
    ['docs/hooks.md', '[x](https://example.org/a.md)', '[x](https://example.org/a.md)', []],
  ])('of %s has %s as %s', (page, text, ...[changed, outside]) => {
    expect(rewritten(page, text, isFile)).toEqual({ text: changed, outside });
  });
});

describe('the site on disk', () => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'sup-site-'));
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('has every page of docs/, and what they link to outside of it', () => {
    stage('.', place, ['CHANGELOG.md']);
    const pages = filesBelow(['docs'], ['.md']).map((page) => page.replace('docs/', ''));
    expect(pages.filter((page) => !existsSync(join(place, page)))).toEqual([]);
    expect(existsSync(join(place, 'source/CHANGELOG.md'))).toBe(true);
    expect(existsSync(join(place, 'source/CONTRIBUTING.md'))).toBe(true);
    expect(existsSync(join(place, 'public/schemas/status.json'))).toBe(true);
  });

  const site = (files: Readonly<Record<string, string>>): readonly string[] => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), text);
    }
    return checkSite(place).mistakes;
  };

  it('is right when links and anchors lead somewhere', () => {
    const files = {
      'index.html': '<a href="/a.html#b">x</a><a href="#top" id="top">y</a><a href="./in/">z</a>',
      'a.html': '<h2 id="b" tabindex="-1">b</h2><a href="https://example.org">elsewhere</a>',
      'in/index.html': '<a href="../a.html">q</a>',
    };
    expect(site(files)).toEqual([]);
  });

  it('is wrong when a link or an anchor leads nowhere', () => {
    const files = { 'index.html': '<a href="/b.html">x</a><a class="c" href="a.html#d">y</a>', 'a.html': '' };
    expect(site(files)).toEqual(['index.html: /b.html leads nowhere', 'index.html: a.html#d leads nowhere']);
  });

  it('is wrong when a page or a style loads something from elsewhere', () => {
    const files = {
      'index.html': '<link rel="stylesheet" href="https://example.org/a.css"><img src="//example.org/b.png">',
      'style.css': '@font-face { src: url(https://example.org/c.woff2) }',
    };
    expect(site(files)).toEqual([
      'index.html: loads https://example.org/a.css',
      'index.html: loads //example.org/b.png',
      'style.css: loads https://example.org/c.woff2',
    ]);
  });
});
