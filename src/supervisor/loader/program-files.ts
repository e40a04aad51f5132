// Lists the files of a program, and the Node options that it is started with. An installation may replace the
// files while the program runs; a fingerprint shows this.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The Node options of a supervisor. V8 needs only one thread besides the main thread. By default it has four
 * such threads, each with a malloc arena of its own. With this option a supervisor of 500 services uses 63
 * MiB instead of 70, at the same CPU time. Do not add options that V8 itself reads, because the code cache
 * would then be invalid.
 */
export const NODE_WORDS: readonly string[] = ['--v8-pool-size=1'];

/** Names of the files that a program needs besides its own script. */
const PARTS = ['supervisor.bundle.js', 'package.json', 'launcher.cjs', 'resume.cjs', 'sup-guardian'];

/** Returns the names of all files that the program needs. */
export const filesOf = (script: string): readonly string[] => [basename(script), ...PARTS];

const identityOf = (path: string): string => {
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
};

/**
 * Returns a text that changes if one of the program's files is written, replaced or removed. It costs one
 * `stat` per file.
 */
export const fingerprintOf = (script: string): string =>
  filesOf(script)
    .map((name) => identityOf(join(dirname(script), name)))
    .join('\n');
