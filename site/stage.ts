// Copies docs/ to site/.pages, with the pages and files of the repository that it links to: those are below
// /source.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** The target of a link, without its anchor. */
const LINK = /(?<=\]\()[^)#:\s]+(?=(?:#[^)]*)?\))/g;

const isPage = (path: string): boolean => path.endsWith('.md');
const isInDocs = (path: string): boolean => path.startsWith('docs/');

/** Returns where a file of the repository stands in the site: a page, or a text to be shown as it is. */
const placeOf = (path: string): string => {
  if (isInDocs(path)) return path.slice('docs/'.length);
  return join('source', isPage(path) ? path : `${path}.txt`);
};

interface Rewritten {
  readonly text: string;
  /** Files outside of docs/ that the page links to. */
  readonly outside: readonly string[];
}

/**
 * Returns a page with the links that it must have in the site. `isFile` says if the repository has a file. A
 * link to anything else stays as it is, so that the check of links finds it.
 */
export const rewritten = (page: string, text: string, isFile: (path: string) => boolean): Rewritten => {
  const outside: string[] = [];
  const changed = text.replaceAll(LINK, (link) => {
    const path = normalize(join(dirname(page), link));
    if (!isFile(path)) return link;
    if (!isInDocs(path)) outside.push(path);
    if (isInDocs(page) && isInDocs(path)) return link;
    return relative(dirname(placeOf(page)), placeOf(path));
  });
  return { text: changed, outside };
};

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

const made = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  return path;
};

/** Copies everything to `target`. The site has the pages `more` whether a page links to them or not. */
export const stage = (root: string, target: string, more: readonly string[]): void => {
  const isFile = (path: string): boolean =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const copyPage = (page: string): readonly string[] => {
    const { text, outside } = rewritten(page, readFileSync(join(root, page), 'utf8'), isFile);
    writeFileSync(made(join(target, placeOf(page))), text);
    return outside;
  };
  rmSync(target, { recursive: true, force: true });
  const files = filesBelow(join(root, 'docs')).map((name) => join('docs', name));
  const queue = [...files.filter(isPage), ...more];
  const seen = new Set(queue);
  for (const page of queue)
    for (const path of copyPage(page)) {
      if (seen.has(path)) continue;
      seen.add(path);
      if (isPage(path)) queue.push(path);
      else cpSync(join(root, path), made(join(target, 'public', placeOf(path))));
    }
  cpSync(join(root, 'docs/pictures'), join(target, 'pictures'), { recursive: true });
  cpSync(join(root, 'docs/schemas'), join(target, 'public/schemas'), { recursive: true });
};
