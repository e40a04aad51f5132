// Which files lie under the names of a program at this moment: installed anew in place, they are not any more what it was
// begun from.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What is in a supervisor, what kind of module that is, and what it starts. */
const PARTS = ['supervisor.bundle.js', 'package.json', 'launcher.cjs', 'resume.cjs', 'sup-guardian'];

/** All without which the program would not be whole, by name. */
export const filesOf = (script: string): readonly string[] => [basename(script), ...PARTS];

const identityOf = (path: string): string => {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
};

/** Equal for as long as nobody writes, replaces or removes one of them. A look at each: their contents would take ms. */
export const fingerprintOf = (script: string): string =>
  filesOf(script)
    .map((name) => identityOf(join(dirname(script), name)))
    .join('\n');
