// Shared by the steps of `npm run package`: the directory and version of the project, the programs that the
// steps need, and a function that runs a program.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a program and returns its standard output. Throws if it fails. Its standard error is shown. */
export const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });

/** True if the program can be started. */
export const isInstalled = (program) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** The programs that make each kind of package, and Debian's packages that have them. */
const PROGRAMS = {
  deb: { 'dpkg-deb': 'dpkg', 'dpkg-shlibdeps': 'dpkg-dev' },
  tarball: { tar: 'tar', xz: 'xz-utils' },
  npm: { 'aarch64-linux-gnu-g++': 'g++-aarch64-linux-gnu' },
};

/** Programs for all kinds of package, which all contain the addon for this processor, without its symbols. */
const ALWAYS = { git: 'git', strip: 'binutils', 'x86_64-linux-gnu-g++': 'g++' };

/** Returns Debian's packages that are missing for these kinds of package. */
export const missingTools = (kinds) => {
  const needed = Object.assign({}, ALWAYS, ...kinds.map((kind) => PROGRAMS[kind]));
  return Object.keys(needed)
    .filter((program) => !isInstalled(program))
    .map((program) => needed[program]);
};
