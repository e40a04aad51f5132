// Checks the built site: every link and anchor leads somewhere, and no page loads from another machine.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const TAG = /<([a-z][\w-]*)((?:\s+[\w:@.-]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /\s([\w:@.-]+)="([^"]*)"/g;
const ELSEWHERE = /^(?:[a-z]+:)?\/\//;
const NO_FILE = /^(?:data|mailto):/;
/** What a style sheet loads. */
const LOADED = /(?:url\(|@import )["']?([^"')]+)/g;

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** The files of a site and what is in its pages. */
interface Site {
  readonly files: ReadonlySet<string>;
  readonly pages: ReadonlyMap<string, readonly Tag[]>;
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('&amp;', '&'));

const tagsIn = (html: string): readonly Tag[] =>
  [...html.matchAll(TAG)].map(([, name = '', rest = '']) => ({
    name,
    attributes: new Map(
      [...rest.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, decoded(value)]),
    ),
  }));

const values = (tag: Tag, keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => tag.attributes.get(key) ?? []);

/** Returns what a browser loads by itself for a tag. */
const loadedBy = (tag: Tag): readonly string[] =>
  tag.name === 'a' ? [] : values(tag, ['src', 'href', 'poster', 'data']);

/** Returns the file that a link of a page means, and the anchor in it. */
const meant = (page: string, link: string): { readonly file: string; readonly anchor: string } => {
  const [path = '', anchor = ''] = link.split('#');
  if (path === '') return { file: page, anchor };
  const file = normalize(path.startsWith('/') ? path.slice(1) : join(dirname(page), path));
  return { file: file === '.' || file.endsWith('/') ? join(file, 'index.html') : file, anchor };
};

const isDead = (page: string, link: string, { files, anchors }: Site): boolean => {
  const { file, anchor } = meant(page, link);
  return !files.has(file) || (anchor !== '' && anchors.get(file)?.has(anchor) === false);
};

const mistakesOf = (page: string, site: Site): readonly string[] => {
  const tags = site.pages.get(page) ?? [];
  const loaded = tags.flatMap(loadedBy);
  const links = [...tags.flatMap((tag) => (tag.name === 'a' ? values(tag, ['href']) : [])), ...loaded];
  const dead = links.filter(
    (link) => !ELSEWHERE.test(link) && !NO_FILE.test(link) && isDead(page, link, site),
  );
  return [
    ...[...new Set(dead)].map((link) => `${page}: ${link} leads nowhere`),
    ...loaded.filter((link) => ELSEWHERE.test(link)).map((link) => `${page}: loads ${link}`),
  ];
};

const sheetMistakes = (sheet: string, text: string): readonly string[] =>
  [...text.matchAll(LOADED)]
    .filter(([, link = '']) => ELSEWHERE.test(link))
    .map(([, link = '']) => `${sheet}: loads ${link}`);

export interface Findings {
  readonly pages: number;
  readonly mistakes: readonly string[];
}

/** Returns how many pages the site in that directory has, and what is wrong with them. */
export const checkSite = (directory: string): Findings => {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => [name, tagsIn(text(name))] as const),
  );
  const anchors = new Map(
    [...pages].map(([name, tags]) => [name, new Set(tags.flatMap((tag) => values(tag, ['id'])))] as const),
  );
  const site = { files: new Set(names), pages, anchors };
  return {
    pages: pages.size,
    mistakes: [
      ...[...pages.keys()].flatMap((page) => mistakesOf(page, site)),
      ...names.filter((name) => name.endsWith('.css')).flatMap((name) => sheetMistakes(name, text(name))),
    ],
  };
};
