// Makes the tarball that runs wherever it is unpacked.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, version } from './tools.js';

const NAME = `sup-${version}-linux-x64`;

/**
 * The order, owners and times of the members are fixed. The blocks of xz are fixed, too, so that they do not
 * depend on the number of processors.
 */
const TAR = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
const xz = (level) => `xz -${level} --threads=2 --block-size=24MiB`;

export const makeTarball = ({ scratch, staged, target, commit, level }) => {
  const tree = join(scratch, NAME);
  mkdirSync(scratch, { recursive: true });
  cpSync(staged, tree, { recursive: true, verbatimSymlinks: true });
  markInstallation(tree, 'tarball');
  const file = join(target, `${NAME}.tar.xz`);
  run('tar', [
    ...TAR,
    `--mtime=@${commit.seconds}`,
    `--use-compress-program=${xz(level)}`,
    '-cf',
    file,
    '-C',
    scratch,
    NAME,
  ]);
  return file;
};

/** Writes how sup was installed, which `sup version --json` and `sup doctor` show. */
export const markInstallation = (prefix, installation) =>
  writeFileSync(
    join(prefix, 'lib/sup/dist/package.json'),
    `${JSON.stringify({ type: 'commonjs', installation })}\n`,
  );
