import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { prebuiltAddon } from '../../../src/os/libc/addon.ts';
import { fingerprintOf } from '../../../src/supervisor/loader/program-files.ts';
import { programCopier, programWarner } from '../../../src/supervisor/upgrade/program-copy.ts';

const FILES = [
  ...['launcher.cjs', 'package.json', 'resume.cjs', 'sup-guardian'],
  ...['supervisor.bundle.cache', 'supervisor.bundle.js', 'supervisor.js'],
];

let root: string;
let script: string;
let programs: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sup-kept-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dist = join(root, 'opt/dist');
  [script, programs] = [join(dist, 'supervisor.js'), join(root, 'data/program')];
  mkdirSync(dist, { recursive: true });
  mkdirSync(join(root, 'data'));
  for (const name of [...FILES, 'sup.js', 'sup.bundle.js'])
    writeFileSync(join(dist, name), `text of ${name}`);
});

/** Of a program that begins now. */
const keeperOf = (own: string): (() => string) =>
  programCopier({ script: own, fingerprint: fingerprintOf(own) }, programs);

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the kept copy of the program', () => {
  it('the program copy has all files of a supervisor and is private to its owner', () => {
    const kept = keeperOf(script)();
    expect(dirname(dirname(kept))).toBe(programs);
    expect(readdirSync(dirname(kept)).sort()).toEqual(FILES);
    for (const name of FILES) {
      const copy = join(dirname(kept), name);
      expect(readFileSync(copy, 'utf8')).toBe(`text of ${name}`);
      expect(modeOf(copy)).toBe(0o600);
    }
    expect([modeOf(programs), modeOf(dirname(kept))]).toEqual([0o700, 0o700]);
  });

  it('the program copy is only the last one, and stays in its place', () => {
    const first = keeperOf(script)();
    const second = keeperOf(script)();
    expect(readdirSync(programs).map((name) => join(programs, name))).toEqual([dirname(second)]);
    expect(second).not.toBe(first);
    expect(keeperOf(second)()).toBe(second);
  });

  it('the program copy needs no code cache and leaves compiled libraries in their place', () => {
    rmSync(join(dirname(script), 'supervisor.bundle.cache'));
    mkdirSync(join(root, 'opt/node_modules/ffi-napi'), { recursive: true });
    const kept = dirname(keeperOf(script)());
    expect(readdirSync(kept)).not.toContain('supervisor.bundle.cache');
    expect(realpathSync(join(kept, 'node_modules/ffi-napi'))).toBe(join(root, 'opt/node_modules/ffi-napi'));
  });

  it('the program copy has the prebuilt addon for this machine', () => {
    const own = join(root, 'opt/prebuilds', `linux-${process.arch}`);
    for (const directory of [own, join(root, 'opt/prebuilds/linux-other')]) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'ffi-napi.node'), 'text of ffi-napi.node');
    }
    const kept = dirname(keeperOf(script)());
    expect(readdirSync(join(kept, 'prebuilds'))).toEqual([basename(own)]);
    const addon = join(kept, 'prebuilds', basename(own), 'ffi-napi.node');
    expect([readFileSync(addon, 'utf8'), modeOf(addon)]).toEqual(['text of ffi-napi.node', 0o600]);
    expect(prebuiltAddon(kept)).toBe(addon);
  });

  it('the program copy is not made if a file is missing, and the previous one stays', () => {
    const before = dirname(keeperOf(script)());
    rmSync(join(dirname(script), 'resume.cjs'));
    expect(() => keeperOf(script)()).toThrow('resume.cjs');
    expect(readdirSync(programs).map((name) => join(programs, name))).toEqual([before]);
  });

  it('the program copy is made once, and again if it or a part of it was removed', () => {
    const kept = keeperOf(script);
    const first = kept();
    expect(kept()).toBe(first);
    rmSync(programs, { recursive: true });
    const second = kept();
    expect(readdirSync(dirname(second)).sort()).toEqual(FILES);
    rmSync(join(dirname(second), 'resume.cjs'));
    expect(readdirSync(dirname(kept())).sort()).toEqual(FILES);
  });

  it('the program copy is refused if the running program is itself a removed copy', () => {
    const kept = keeperOf(keeperOf(script)());
    rmSync(programs, { recursive: true });
    expect(kept).toThrow('is gone');
  });

  it.each(FILES.filter((name) => !name.endsWith('.cache')))(
    'the program copy is refused if another %s is there by now, and the previous one stays',
    (name) => {
      const own = keeperOf(script);
      const before = own();
      const next = keeperOf(script);
      writeFileSync(join(dirname(script), name), `text of ${name}, broken`);
      expect(next).toThrow('ERR0502');
      expect(readdirSync(programs)).toEqual([basename(dirname(before))]);
      expect(own()).toBe(before);
    },
  );

  it('the program copy is identified by its files, not by its text', () => {
    const keep = keeperOf(script);
    const other = join(root, 'other');
    writeFileSync(other, readFileSync(script));
    renameSync(other, script);
    expect(keep).toThrow('ERR0502');
  });
});

describe('the warning about the program', () => {
  const warningsOf = (own: string): (() => readonly string[]) =>
    programWarner({ script: own, fingerprint: fingerprintOf(own) }, join(root, 'data'));

  it('there is no warning about the installed program, and one that names sup upgrade once it is replaced', () => {
    const warnings = warningsOf(script);
    expect(warnings()).toEqual([]);
    const next = join(dirname(script), 'next');
    writeFileSync(next, 'another text');
    renameSync(next, join(dirname(script), 'supervisor.bundle.js'));
    expect(warnings()).toEqual([
      `the program was replaced (${script}), and the supervisor still runs the one from before: sup upgrade (stops no service)`,
    ]);
  });

  it('a supervisor that runs from a copy warns of the copy', () => {
    const kept = keeperOf(script)();
    const [text = ''] = warningsOf(kept)();
    expect(text).toContain('runs from a copy of its program');
  });
});
