// Decides which changed files are ignored: the files that `watch.ignore` names, and files with the names
// `ALWAYS_IGNORED` (`docs/manifest.md`, "watch").
import { basename, relative, resolve } from 'node:path';
import { linePattern } from '../streams/output/line-pattern.ts';

/**
 * The names of files that are ignored in every service: these files change often and are no source of a
 * program.
 */
const ALWAYS_IGNORED = /^(?:\.git|node_modules|.*\.sw[px]|.*~|\.#.*|#.*#|4913)$/;

const globPart = (text: string): string =>
  text
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');

const patternOf = (glob: string): string =>
  glob.split('**').map(globPart).join('.*').replaceAll('.*/', '(?:.*/)?');

/**
 * Returns a function that is true for a text if one of the patterns matches the whole text, or the part of
 * the text before a slash.
 */
const matching = (globs: readonly string[]): ((text: string) => boolean) => {
  if (globs.length === 0) return () => false;
  const pattern = linePattern(`^(?:${globs.map(patternOf).join('|')})(?:/|$)`);
  return (text) => pattern.tag === 'pattern' && pattern.isIn(text);
};

/**
 * Returns a function that is true for a path to ignore. The caller must ask about a directory before it asks
 * about the files in it, because a name is compared only with the last part of a path. `directory`: the
 * directory of the manifest.
 */
export const ignoring = (directory: string, entries: readonly string[]): ((path: string) => boolean) => {
  const bare = entries.map((entry) => entry.replace(/\/$/, ''));
  const isName = matching(bare.filter((entry) => !entry.includes('/')));
  const paths = bare.filter((entry) => entry.includes('/'));
  const isPath = matching(paths.map((path) => relative(directory, resolve(directory, path))));
  return (path) => {
    const name = basename(path);
    return ALWAYS_IGNORED.test(name) || isName(name) || isPath(relative(directory, path));
  };
};
