// The navigation of the site: the tables of docs/index.md, one group for each of its headings.
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

interface Entry {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}

/** The group of docs/index.md with this page is for developers; all others are for users. */
const WALKS = '/contributing/';

/** Pages outside of docs/ that developers look for. */
const MORE: readonly Entry[] = [
  { text: 'Set up and test', link: '/source/CONTRIBUTING' },
  { text: 'Changelog', link: '/source/CHANGELOG' },
];

/** Returns the pages of docs/ that a page in one of its folders links to, in their order, each once. */
const linksIn = (markdown: string, folder = ''): readonly Entry[] => {
  const links = [...markdown.matchAll(/\[([^\]]+)\]\(([\w/.-]+)\.md\)/g)]
    .map(([, text = '', target = '']) => [normalize(join(folder, target)), text.replaceAll('`', '')] as const)
    .filter(([path]) => !path.startsWith('..'));
  return [...new Map(links)].map(([path, text]) => ({ text, link: `/${path}`.replace(/\/index$/, '/') }));
};

const groupOf = (section: string): Group => ({
  text: (section.split('\n', 1)[0] ?? '').trim(),
  items: linksIn(section),
});

/** Returns the groups of docs/index.md, each with its pages. */
export const groupsIn = (index: string): readonly Group[] =>
  index
    .split(/^## /m)
    .slice(1)
    .map(groupOf)
    .filter(({ items }) => items.length > 0);

/** Returns the entries of the bar at the top: each kind of page leads to its first one. */
export const barFor = (groups: readonly Group[]): readonly Entry[] =>
  groups.map(({ text, items: [first] }) => ({
    text: text.replace(' another tool', '…'),
    link: first?.link ?? '/',
  }));

/**
 * Returns one sidebar for users and one for developers, by the beginning of a page's path. `walks` is the
 * first page for contributors. Throws if there are no pages for developers.
 */
export const sidebarFor = (
  groups: readonly Group[],
  walks: string,
): Readonly<Record<string, readonly Group[]>> => {
  const developers = groups.find(({ items }) => items.some(({ link }) => link === WALKS));
  if (developers === undefined) throw new Error('docs/index.md does not list contributing/index.md');
  const own = [
    { ...developers, items: [...developers.items, ...MORE] },
    {
      text: 'How to change sup',
      items: linksIn(walks, 'contributing').filter(({ link }) => link.startsWith(WALKS)),
    },
  ];
  const places = [...developers.items.map(({ link }) => link), WALKS, '/decisions/', '/source/'];
  return {
    ...Object.fromEntries(places.map((place) => [place, own])),
    '/': groups.filter((group) => group !== developers),
  };
};

/** Returns the bar and the sidebars for the pages in that directory. */
export const navigation = (
  docs: string,
): { readonly nav: readonly Entry[]; readonly sidebar: ReturnType<typeof sidebarFor> } => {
  const page = (name: string): string => readFileSync(join(docs, name), 'utf8');
  const groups = groupsIn(page('index.md'));
  return { nav: barFor(groups), sidebar: sidebarFor(groups, page('contributing/index.md')) };
};
