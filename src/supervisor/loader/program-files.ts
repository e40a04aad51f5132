// The files of a program as they are now, and the options of Node that it is started with. After an
// installation in place the files are no longer those that the running program was started from.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Options of Node for a supervisor. V8 needs one thread besides its own: each of four would keep its own
 * malloc arena. 500 services take 63 MiB instead of 70, at the same CPU time. No option that V8 reads may be
 * here: a code cache is only valid for the options it was made with.
 */
export const NODE_WORDS: readonly string[] = ['--v8-pool-size=1'];

/** The supervisor's code, its module type, and the programs that it starts. */
const PARTS = ['supervisor.bundle.js', 'package.json', 'launcher.cjs', 'resume.cjs', 'sup-guardian'];

/** Returns the names of all files that the program needs. */
export const filesOf = (script: string): readonly string[] => [basename(script), ...PARTS];

const identityOf = (path: string): string => {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
};

/** Returns a text that changes if a file is written, replaced or removed. It costs one `stat` per file. */
export const fingerprintOf = (script: string): string =>
  filesOf(script)
    .map((name) => identityOf(join(dirname(script), name)))
    .join('\n');
