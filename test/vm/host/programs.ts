// Programs of this machine with the libraries that they are linked to.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Entry } from './cpio.ts';

const librariesOf = (program: string): readonly string[] => {
  const text = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return text.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
};

const pathOf = (name: string): string =>
  name.startsWith('/')
    ? name
    : execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

const parentsOf = (path: string): readonly string[] =>
  path === '/' ? [] : [...parentsOf(dirname(path)), path];

/** Every directory that is above one of these, from the top down. */
export const directoriesAbove = (entries: readonly Entry[]): readonly Entry[] =>
  [...new Set(entries.flatMap(({ path }) => parentsOf(dirname(path))))]
    .sort()
    .map((path) => ({ tag: 'directory', path }));

/** Each in its place, and what it needs in the place where it is looked for. */
export const programs = (names: readonly string[]): readonly Entry[] => {
  const paths = names.map(pathOf);
  const files = new Set([...paths, ...paths.flatMap(librariesOf)]);
  return [...files].map((path) => ({ tag: 'copy', path, from: realpathSync(path), mode: 0o755 }));
};

/** The same for a native part of a package, which is in the image already. */
export const librariesFor = (natives: readonly string[]): readonly Entry[] =>
  [...new Set(natives.flatMap(librariesOf))].map((path) => ({
    tag: 'copy',
    path,
    from: realpathSync(path),
    mode: 0o755,
  }));
