// Builds the packages from fresh clones, and installs, upgrades and removes each in a clean root directory of Debian.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { badInput } from './bad-input.ts';
import { buildPackages, type Built } from './build.ts';
import { debCheck } from './deb.ts';
import { debianRoot, startMachine, type Machine } from './machine.ts';
import { npmCheck } from './npm.ts';
import { newReport, type Report } from './report.ts';
import { run } from './shell.ts';
import { tarballCheck } from './tarball.ts';

const TOOLS = ['debootstrap', 'lintian', 'dpkg-dev', 'xz-utils', 'util-linux', 'binutils'];
const RELEASES = ['bookworm', 'trixie'];

export type Check = (machine: Machine, report: Report, built: Built) => Promise<void>;

const CHECKS: Readonly<Record<string, Check>> = {
  deb: debCheck,
  tarball: tarballCheck,
  npm: npmCheck,
  'bad input': badInput,
};

/** Runs a check in a machine of its own. */
const checkIn = async (release: string, check: Check, { report, built, cache }: Scene): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), 'sup-root-'));
  const machine = await startMachine(debianRoot(release, cache), scratch, built.directory);
  try {
    await check(machine, report, built);
  } finally {
    await machine.end();
    rmSync(scratch, { recursive: true, force: true });
  }
};

interface Scene {
  readonly report: Report;
  readonly built: Built;
  readonly cache: string;
}

const checks = async (scene: Scene, releases: readonly string[], only: readonly string[]): Promise<void> => {
  for (const release of releases)
    for (const [name, check] of Object.entries(CHECKS))
      if (only.includes(name))
        await scene.report.part(`${name}, Debian ${release}`, () => checkIn(release, check, scene));
};

/** 0: everything passed; 1: a step failed. */
export const main = async (line: readonly string[]): Promise<number> => {
  const { values } = parseArgs({
    args: [...line],
    options: {
      only: { type: 'string', multiple: true },
      release: { type: 'string', multiple: true },
      built: { type: 'boolean', default: false },
    },
  });
  const cache = resolve('.packages');
  mkdirSync(cache, { recursive: true });
  const report = newReport();
  let built: Built | undefined;
  await report.part('packages', async () => {
    await report.step(`installs ${TOOLS.join(', ')}`, () =>
      run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...TOOLS]),
    );
    built = await buildPackages(report, { cache, fresh: !values.built });
  });
  if (built === undefined) return 1;
  await checks({ report, built, cache }, values.release ?? RELEASES, values.only ?? Object.keys(CHECKS));
  console.log(report.failures() === 0 ? 'all packages pass' : `${report.failures()} parts FAILED`);
  return report.failures() === 0 ? 0 : 1;
};
