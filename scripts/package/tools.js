// What the steps of `npm run package` share: the place of the project, and running a program.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a program and returns its standard output. Throws if it fails; its errors are shown. */
export const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });
