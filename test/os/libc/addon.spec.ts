// Needs the native addon.
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cFunction, openLibc } from '../../../src/os/libc/libc.ts';

const BUILT = {
  'ffi-napi.node': 'node_modules/ffi-napi/build/Release/ffi_bindings.node',
  'ref-napi.node': 'node_modules/@2060.io/ref-napi/build/Release/binding.node',
};
/** Where the header of a program names the processor that it is for (elf(5), e_machine). */
const ELF_MACHINE_AT = 18;
const MACHINE_S390 = 22;
const PLATFORM = `linux-${process.arch}`;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sup-addon-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'dist'));
});

/** Places the addons that npm has compiled into `prebuilds` of this directory. Returns the path of ffi-napi. */
const prebuild = (directory: string): string => {
  const place = join(directory, 'prebuilds', PLATFORM);
  mkdirSync(place, { recursive: true });
  for (const [name, from] of Object.entries(BUILT))
    for (const to of [name, `${name}.copy`]) copyFileSync(from, join(place, to));
  return join(place, 'ffi-napi.node');
};

/** Opens the library as a program in `dist` does. */
const open = (): ReturnType<typeof openLibc> =>
  openLibc(createRequire(join(root, 'dist/supervisor.js')), join(root, 'dist'));

const addPackages = (): void => symlinkSync(realpathSync('node_modules'), join(root, 'node_modules'));

const COMPILED = { kind: 'compiled', path: realpathSync(BUILT['ffi-napi.node']) };

describe('the addon that calls the C library', () => {
  it.each(['.', 'dist'])('a prebuilt addon in %s is loaded and needs no package', (place) => {
    const path = prebuild(join(root, place));
    const opened = open();
    expect(opened).toMatchObject({ tag: 'open', origin: { kind: 'prebuilt', path } });
    if (opened.tag === 'open') expect(opened.libc.call(cFunction('int', 'getpid'))).toBe(process.pid);
  });

  it('a prebuilt addon is preferred to the compiled one', () => {
    addPackages();
    expect(open()).toMatchObject({ tag: 'open', origin: COMPILED });
    prebuild(root);
    expect(open()).toMatchObject({ tag: 'open', origin: { kind: 'prebuilt' } });
  });

  it('a shortened prebuilt addon is not loaded, and the compiled one is used', () => {
    const path = prebuild(root);
    truncateSync(path, 30_000);
    const refused = `${path}: it is damaged, as it differs from its copy`;
    expect(open()).toEqual({
      tag: 'absent',
      detail: `${refused}; Cannot find module 'ffi-napi/package.json'`,
    });
    addPackages();
    expect(open()).toMatchObject({ tag: 'open', origin: { ...COMPILED, refused } });
  });

  it('a prebuilt addon for another machine is refused with the reason of the C library', () => {
    const path = prebuild(root);
    const foreign = readFileSync(path);
    foreign.writeUInt16LE(MACHINE_S390, ELF_MACHINE_AT);
    for (const to of [path, `${path}.copy`]) writeFileSync(to, foreign);
    addPackages();
    const refused = expect.stringContaining(`${path}: it does not fit this machine (`) as string;
    expect(open()).toMatchObject({ tag: 'open', origin: { ...COMPILED, refused } });
  });

  it('a prebuilt addon without its second file is refused', () => {
    const path = prebuild(root).replace('ffi-napi', 'ref-napi');
    rmSync(path);
    const opened = open();
    expect(opened.tag === 'absent' && opened.detail).toContain(
      `ENOENT: no such file or directory, open '${path}'`,
    );
  });

  it.runIf(process.getuid?.() === 0)(
    'root does not load a prebuilt addon that another user can write',
    () => {
      const path = prebuild(root);
      chownSync(path, 1000, 1000);
      const opened = open();
      expect(opened.tag === 'absent' && opened.detail).toContain(
        `${path}: it is owned by user 1000; for root it must be owned by root`,
      );
    },
  );
});
