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
import { attempt, run } from './shell.ts';
import { newCgroup, removeCgroup, systemdCheck } from './systemd.ts';
import { tarballCheck } from './tarball.ts';

const TOOLS = [
  ...['debootstrap', 'lintian', 'dpkg-dev', 'xz-utils', 'util-linux', 'binutils', 'man-db'],
  // The addon is compiled for both processors, and the one for arm64 is loaded under qemu.
  ...['g++', 'g++-aarch64-linux-gnu', 'qemu-user'],
];
const RELEASES = ['bookworm', 'trixie'];

interface Scene {
  readonly report: Report;
  readonly built: Built;
  readonly cache: string;
}

type Check = (release: string, scene: Scene) => Promise<void>;

/** Runs a check in a machine of its own, whose first process only waits. */
const inBareRoot =
  (check: (machine: Machine, report: Report, built: Built) => Promise<void>): Check =>
  async (release, { report, built, cache }) => {
    const scratch = mkdtempSync(join(tmpdir(), 'sup-root-'));
    const lower = debianRoot(release, cache, 'bare');
    const machine = await startMachine({ lower, scratch, packages: built.directory });
    try {
      await check(machine, report, built);
    } finally {
      await machine.end();
      rmSync(scratch, { recursive: true, force: true });
    }
  };

const inBootedRoot: Check = async (release, { report, built, cache }) => {
  const cgroup = newCgroup();
  if (cgroup === undefined) {
    report.leaveOut('there is no cgroup v2 hierarchy, which systemd needs');
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'sup-root-'));
  try {
    const lower = debianRoot(release, cache, 'systemd');
    await systemdCheck({ lower, scratch, packages: built.directory, cgroup }, report, built);
  } finally {
    await removeCgroup(cgroup);
    rmSync(scratch, { recursive: true, force: true });
  }
};

const CHECKS: Readonly<Record<string, Check>> = {
  deb: inBareRoot(debCheck),
  systemd: inBootedRoot,
  tarball: inBareRoot(tarballCheck),
  npm: inBareRoot(npmCheck),
  'bad input': inBareRoot(badInput),
};

const installTools = (): void => {
  if (process.getuid?.() !== 0) throw new Error('only root can do that: run it as root');
  const line = ['install', '-y', '-q', '--no-install-recommends', ...TOOLS];
  if (attempt('apt-get', line).status === 0) return;
  // The lists of packages may be old or absent.
  run('apt-get', ['update', '-q']);
  run('apt-get', line);
};

const checks = async (scene: Scene, releases: readonly string[], only: readonly string[]): Promise<void> => {
  for (const release of releases)
    for (const [name, check] of Object.entries(CHECKS))
      if (only.includes(name))
        await scene.report.part(`${name}, Debian ${release}`, () => check(release, scene));
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
    await report.step(`installs ${TOOLS.join(', ')}`, installTools);
    built = await buildPackages(report, { cache, fresh: !values.built });
  });
  if (built === undefined) return 1;
  await checks({ report, built, cache }, values.release ?? RELEASES, values.only ?? Object.keys(CHECKS));
  console.log(report.failures() === 0 ? 'all packages pass' : `${report.failures()} parts FAILED`);
  return report.failures() === 0 ? 0 : 1;
};
