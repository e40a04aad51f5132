// Which changed files do not count: those of `watch.ignore`, and some in any case (`docs/manifest.md`,
// "watch").
import { linePattern } from '../streams/output/line-pattern.ts';

/** Names that are ignored in any case: they change often and are no source of a program. */
const ALWAYS_IGNORED = ['.git', 'node_modules', '*.swp', '*.swx', '*~', '.#*', '4913'];

const globPart = (text: string): string =>
  text
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');

/** Returns a regular expression for a name, or for a path from the manifest's directory and all below it. */
const patternOf = (entry: string): string => {
  const bare = entry.replace(/^\.\//, '').replace(/\/$/, '');
  const glob = bare.split('**').map(globPart).join('.*').replaceAll('.*/', '(?:.*/)?');
  return bare.includes('/') ? `^${glob}(?:/|$)` : `(?:^|/)${glob}(?:/|$)`;
};

/** Returns a function that is true for a path, from the manifest's directory, that does not count. */
export const ignoring = (entries: readonly string[]): ((path: string) => boolean) => {
  const pattern = linePattern([...ALWAYS_IGNORED, ...entries].map(patternOf).join('|'));
  return (path) => pattern.tag === 'pattern' && pattern.isIn(path);
};
