// `npm run package`: builds the packages of this commit in dist/packages: a .deb, a tarball that runs
// wherever it is unpacked (D-130), and the package for npm (D-127). Two builds of one commit give identical
// files.
//
//   npm run package -- [--only deb|tarball|npm]... [--fast]
//   npm run package -- --profile
//
// --fast compresses less, for tests. --profile records which functions the code caches contain (D-130).
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commitOf } from './package/commit.js';
import { makeDeb } from './package/deb.js';
import { stageInstallation } from './package/installation.js';
import { makeNpm } from './package/npm.js';
import { recordProfile } from './package/profile.js';
import { fetchRuntime } from './package/runtime.js';
import { makeTarball } from './package/tarball.js';
import { missingTools, root } from './package/tools.js';

const MAKERS = { deb: makeDeb, tarball: makeTarball, npm: makeNpm };
/** Levels of xz. */
const LEVEL = { fast: 0, full: 6 };

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(MAKERS) },
    fast: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const unknown = values.only.find((kind) => !Object.hasOwn(MAKERS, kind));
if (unknown !== undefined)
  throw new Error(`--only: "${unknown}" is none of ${Object.keys(MAKERS).join(', ')}`);

const profile = (node, scratch) => {
  const dist = join(scratch, 'dist');
  cpSync(join(root, 'dist'), dist, { recursive: true });
  recordProfile(join(node, 'bin/node'), dist);
};

const packages = async (node, scratch) => {
  const target = join(root, 'dist/packages');
  const commit = commitOf(root);
  // Every tool that writes a time uses this variable.
  process.env.SOURCE_DATE_EPOCH = String(commit.seconds);
  await mkdir(target, { recursive: true });
  const staged = await stageInstallation(join(scratch, 'installation'), node);
  const level = values.fast ? LEVEL.fast : LEVEL.full;
  for (const kind of values.only) {
    const file = await MAKERS[kind]({ scratch: join(scratch, kind), staged, target, commit, level });
    process.stdout.write(`${file}\n`);
  }
};

const make = async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'sup-package-'));
  try {
    const node = fetchRuntime();
    if (values.profile) profile(node, scratch);
    else await packages(node, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const missing = missingTools(values.only);
if (missing.length > 0) {
  process.stderr.write(
    `Programs are missing that make the packages. As root: apt-get install -y ${missing.join(' ')}\n`,
  );
  process.exitCode = 1;
} else await make();
