// Builds the packages three times from clones of this commit: twice the same, in different directories, and once
// with a higher version, to which the tests upgrade.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectThat, type Report } from './report.ts';
import { attempt, run } from './shell.ts';

export interface Built {
  /** Directory with the packages of both versions. */
  readonly directory: string;
  readonly version: string;
  readonly next: string;
}

const versionIn = (clone: string): string => {
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string };
  return version;
};

const nextOf = (version: string): string => version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

const cloneInto = (clone: string): void => {
  rmSync(clone, { recursive: true, force: true });
  run('git', ['clone', '-q', '--no-hardlinks', '.', clone]);
  // The Node of the packages is installed once.
  if (existsSync('.packages/runtime'))
    cpSync('.packages/runtime', join(clone, '.packages/runtime'), { recursive: true });
};

const dependenciesOf = (clone: string): void =>
  void run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'], { cwd: clone });

const packagesOf = (clone: string): void => {
  run('npm', ['run', 'package', '--', '--fast'], { cwd: clone });
};

const sumsOf = (clone: string): ReadonlyMap<string, string> => {
  const place = join(clone, 'dist/packages');
  const sum = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(place, name)))
      .digest('hex');
  return new Map(readdirSync(place).map((name) => [name, sum(name)]));
};

const expectSame = (one: string, other: string): void => {
  const [sums, others] = [sumsOf(one), sumsOf(other)];
  expectThat(sums.size > 1, `${one} has ${sums.size} packages`);
  const different = [...sums].filter(([name, sum]) => others.get(name) !== sum).map(([name]) => name);
  expectThat(different.length === 0, `two builds differ: ${different.join(', ')} in ${one} and ${other}`);
};

interface Manifest {
  version: string;
  readonly packages?: Record<string, { version?: string }>;
}

const raiseVersion = (clone: string): void => {
  const next = nextOf(versionIn(clone));
  for (const name of ['package.json', 'package-lock.json']) {
    const manifest = JSON.parse(readFileSync(join(clone, name), 'utf8')) as Manifest;
    manifest.version = next;
    const own = manifest.packages?.[''];
    if (own !== undefined) own.version = next;
    writeFileSync(join(clone, name), JSON.stringify(manifest));
  }
};

/** Throws if lintian reports an error or a warning that no override explains. */
const judge = (directory: string): void => {
  const deb = readdirSync(directory).find((name) => name.endsWith('.deb')) ?? '';
  const { status, stdout, stderr } = attempt('lintian', [
    '--allow-root',
    '--fail-on',
    'error,warning',
    join(directory, deb),
  ]);
  expectThat(status === 0, `lintian: ${stdout}${stderr}`);
};

/** Builds all packages, or takes those that the last test has built. */
export const buildPackages = async (
  { step }: Report,
  { cache, fresh }: { readonly cache: string; readonly fresh: boolean },
): Promise<Built> => {
  const [one, other, directory] = ['clone', 'elsewhere/clone', 'built'].map((name) => join(cache, name)) as [
    string,
    string,
    string,
  ];
  if (fresh) {
    rmSync(directory, { recursive: true, force: true });
    await step('builds the packages from a fresh clone', () => {
      cloneInto(one);
      dependenciesOf(one);
      packagesOf(one);
      cpSync(join(one, 'dist/packages'), directory, { recursive: true });
    });
    await step('builds them again elsewhere: the files are identical', () => {
      mkdirSync(join(cache, 'elsewhere'), { recursive: true });
      cloneInto(other);
      dependenciesOf(other);
      packagesOf(other);
      expectSame(one, other);
    });
    await step('the addons load under each Node that is maintained, and for arm64 under qemu', () =>
      run('npm', ['run', 'prebuilds', '--', '--check'], { cwd: one }),
    );
    await step('lintian reports no error and no warning', () => judge(directory));
    await step('builds a higher version', () => {
      raiseVersion(other);
      packagesOf(other);
      cpSync(join(other, 'dist/packages'), directory, { recursive: true });
    });
  }
  const version = versionIn('.');
  return { directory, version, next: nextOf(version) };
};
