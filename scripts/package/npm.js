// Makes the package for npm (D-127): `npm install -g` installs it without a compiler. It is packed from a
// copy of what `files` in package.json names. The copy has a package.json without scripts, and without the
// packages whose code is in the bundles.
//
//   node scripts/package/npm.js [directory]   writes the tarball there, by default into dist/packages
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { PLATFORMS, prebuild } from '../prebuilds.js';
import { writeTypes } from '../types.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const run = (cwd, program, ...args) => {
  const { stdout: out, stderr, error, status } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return out;
};

const packed = (directory, ...flags) =>
  JSON.parse(run(directory, 'npm', 'pack', '--json', '--ignore-scripts', ...flags))[0];

/** The keys of package.json that a package needs. The other keys concern only builds. */
const SAID = [
  ...[
    'name',
    'version',
    'description',
    'keywords',
    'license',
    'type',
    'bin',
    'exports',
    'files',
    'engines',
    'os',
  ],
  ...['peerDependencies', 'peerDependenciesMeta', 'optionalDependencies'],
];

const packageJson = (whole, files) => {
  const said = Object.fromEntries(SAID.map((key) => [key, whole[key]]));
  const man = files.filter((name) => name.startsWith('dist/man/')).toSorted();
  return `${JSON.stringify({ ...said, man }, undefined, 2)}\n`;
};

const PROGRAMS = new Set(['dist/sup.js', 'dist/sup-guardian']);

/** Copies the files that npm would pack, with the modes that they have in a package. */
const stage = async (place) => {
  const files = packed(root, '--dry-run').files.map(({ path }) => path);
  for (const name of files) {
    const to = join(place, name);
    await mkdir(dirname(to), { recursive: true });
    await cp(join(root, name), to);
    await chmod(to, PROGRAMS.has(name) ? 0o755 : 0o644);
  }
  const whole = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(place, 'package.json'), packageJson(whole, files));
  const own = JSON.parse(await readFile(join(root, 'dist/package.json'), 'utf8'));
  await writeFile(join(place, 'dist/package.json'), `${JSON.stringify({ ...own, installation: 'npm' })}\n`);
};

/** Packs the built program, its manual pages and the prebuilt addons. Returns the path of the tarball. */
export const makeNpm = async ({ scratch, target }) => {
  await prebuild(PLATFORMS.filter((name) => !existsSync(join(root, 'prebuilds', name))));
  run(root, process.execPath, 'scripts/man.js');
  await writeTypes();
  await mkdir(target, { recursive: true });
  await stage(scratch);
  const { filename } = packed(scratch);
  await cp(join(scratch, filename), join(target, `.${filename}`));
  // Renamed when it is complete, so that there is never an incomplete tarball.
  await rename(join(target, `.${filename}`), join(target, filename));
  return join(target, filename);
};

if (argv[1] === fileURLToPath(import.meta.url)) {
  const scratch = await mkdtemp(join(tmpdir(), 'sup-npm-'));
  try {
    stdout.write(`${await makeNpm({ scratch, target: argv[2] ?? join(root, 'dist/packages') })}\n`);
  } finally {
    await rm(scratch, { recursive: true });
  }
}
