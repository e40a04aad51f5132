// The package that speaks to the C library, with all that it depends on: what of it is loaded, not what it is made from.
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './cpio.ts';

const WANTED = /\.(js|json|cjs|node)$/;
const LEFT_OUT = new Set(['deps', 'src', 'test', 'example', 'obj.target', 'docs', 'node_modules']);

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    // `src` of a package that is made from C; those of JavaScript alone keep it.
    if (entry.isDirectory())
      return LEFT_OUT.has(entry.name) && !(entry.name === 'src' && existsSync(join(path, 'index.js')))
        ? []
        : filesIn(path);
    return entry.isFile() && WANTED.test(entry.name) ? [path] : [];
  });

const dependenciesOf = (directory: string): readonly string[] => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
};

const closure = (modules: string, name: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(name) || !existsSync(join(modules, name))) return seen;
  seen.add(name);
  for (const other of dependenciesOf(join(modules, name))) closure(modules, other, seen);
  return seen;
};

/** At the same place below `to` as in `modules`. */
export const packageFiles = (modules: string, name: string, to: string): readonly Entry[] =>
  [...closure(modules, name)].flatMap((one) => {
    const directory = realpathSync(join(modules, one));
    return filesIn(directory).map((from): Entry => {
      return { tag: 'copy', from, path: join(to, one, from.slice(directory.length + 1)) };
    });
  });
