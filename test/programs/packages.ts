// Real programs from Debian's packages, which are unpacked beside each other and not installed.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const PACKAGES = [
  'nginx',
  'redis-server',
  'redis-tools',
  'liblzf1',
  'libjemalloc2',
  'postgresql-15',
  'postgresql-client-15',
  'python3-systemd',
  'python3-sdnotify',
];

/**
 * Unpacks the packages before the tests of a file, and removes them after these.
 *
 * @returns the path of a file of the packages; to be called inside a test.
 */
export const unpackedPackages = (): ((...path: readonly string[]) => string) => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'programs-'));
    chmodSync(directory, 0o755);
    execFileSync('apt-get', ['-q', 'download', ...PACKAGES], { cwd: directory, stdio: 'ignore' });
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg', ['-x', file, '.'], { cwd: directory });
  }, 120_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return (...path) => join(directory, ...path);
};

/** Where the packages have their shared libraries: `usr/lib/<architecture>-linux-gnu`. */
export const librariesOf = (at: (...path: readonly string[]) => string): string =>
  at('usr/lib', readdirSync(at('usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? '');
