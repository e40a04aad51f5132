// Needs the native addon.
// An installation by a package: no packages of npm beside it, but the addon compiled (`prebuilds`).
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { supOf, withoutAddon } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, errorOf, expectDone } from '../support/witnesses.ts';

const PLATFORM = `linux-${process.arch}`;
const BUILT = {
  'ffi-napi.node': 'node_modules/ffi-napi/build/Release/ffi_bindings.node',
  'ref-napi.node': 'node_modules/@2060.io/ref-napi/build/Release/binding.node',
};

interface Installed {
  readonly sup: string;
  /** Directory of the addon. */
  readonly addons: string;
}

const installed = (stage: Stage): Installed => {
  const sup = withoutAddon(stage);
  const addons = join(dirname(sup), '../prebuilds', PLATFORM);
  mkdirSync(addons, { recursive: true });
  for (const [name, from] of Object.entries(BUILT))
    for (const to of [name, `${name}.copy`]) copyFileSync(from, join(addons, to));
  writeFileSync(join(dirname(sup), 'package.json'), '{"type":"commonjs","installation":"npm"}\n');
  return { sup, addons: resolve(addons) };
};

/** The names of the files of the addon in each copy of the program. */
const addonsKept = ({ data }: Stage): readonly string[] =>
  readdirSync(join(data, 'program')).flatMap((copy) => {
    try {
      return [
        readdirSync(join(data, 'program', copy, 'prebuilds', PLATFORM))
          .toSorted()
          .join(),
      ];
    } catch {
      return [];
    }
  });

const limited = steady({ limits: { nofile: 100 } });

const openFilesOf = (pid: number | null): string | undefined =>
  /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid ?? 0}/limits`, 'utf8'))?.[1];

describe('the addon that a package brings', () => {
  scenario('a package needs no other addon, and an upgrade keeps a copy of it', async (stage) => {
    const { sup, addons } = installed(stage);
    const version: unknown = JSON.parse((await supOf(stage, sup, 'version', '--json')).stdout);
    expect(version).toMatchObject({
      installation: { kind: 'npm', directory: dirname(sup) },
      ffi: { kind: 'prebuilt', path: join(addons, 'ffi-napi.node'), refused: null },
    });
    const file = stage.declare(loose({ limited }));
    expectDone(await supOf(stage, sup, 'start', '-c', file, '--daemonize'));
    const before = (await agree(stage, { limited: 'running' }))['limited'];
    expect(openFilesOf(before.pid)).toBe('100');
    expectDone(await supOf(stage, sup, 'upgrade'));
    expect((await agree(stage, { limited: 'running' }))['limited'].pid).toBe(before.pid);
    const addon = Object.keys(BUILT).flatMap((name) => [name, `${name}.copy`]);
    // The new supervisor makes a copy of its own, too, and removes the other one.
    await holds('a whole copy', () => addonsKept(stage).includes(addon.join()));
  });

  scenario('with a damaged addon what needs no addon runs, and doctor says why', async (stage) => {
    const { sup, addons } = installed(stage);
    truncateSync(join(addons, 'ffi-napi.node'), 40_000);
    const file = stage.declare(loose({ web: steady(), limited }));
    const start = await supOf(stage, sup, 'start', '-c', file, '--daemonize', '--json');
    expect(errorOf(start).code).toBe('ERR0745');
    expect(errorOf(start).message).toContain('it is damaged');
    await agree(stage, { web: 'running' });
    const doctor = await supOf(stage, sup, 'doctor');
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toContain('ffi-napi.node: it is damaged, as it differs from its copy');
    expect(doctor.stdout).toContain('npm install -g with the tarball of sup, again');
  });
});
