import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory, makeDirectoryAsync, realPlace } from '../../../src/os/files/directories.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-make-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each([
  ['at once', (path: string, mode?: number) => Promise.resolve().then(() => makeDirectory(path, mode))],
  ['while others go on', makeDirectoryAsync],
])('creating a directory %s', (_, make) => {
  it('a directory is created with its parents, each with the mode', async () => {
    await make(join(root, 'a/b/c'), 0o700);
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700, 0o700]);
  });

  it('an existing directory is left as it is, also through a link and at the root', async () => {
    await make(join(root, 'a'), 0o755);
    symlinkSync(join(root, 'a'), join(root, 'l'));
    for (const path of ['a', 'l', 'l/../a']) await make(join(root, path), 0o700);
    await make('/');
    expect(modeOf(join(root, 'a'))).toBe(0o755);
  });

  it.each([
    ['a file stands in its place', 'f', 'EEXIST'],
    ['a file stands on the way', 'f/a', 'ENOTDIR'],
    ['a link to nowhere stands in its place', 'n', 'EEXIST'],
  ])('a directory is refused if %s', async (_why, path, code) => {
    writeFileSync(join(root, 'f'), '');
    symlinkSync(join(root, 'nowhere'), join(root, 'n'));
    await expect(make(join(root, path))).rejects.toMatchObject({ code });
  });

  it('a directory is refused if the kernel refuses it', async () => {
    await expect(make('/proc/nope/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

let realRoot: string;
beforeEach(() => {
  realRoot = realpathSync(mkdtempSync(join(tmpdir(), 'sup-place-')));
  mkdirSync(join(realRoot, 'real'));
  symlinkSync(join(realRoot, 'real'), join(realRoot, 'link'));
});
afterEach(() => rmSync(realRoot, { recursive: true }));

describe('the real path', () => {
  it('the real path of a link to a directory is that directory', () => {
    expect(realPlace(join(realRoot, 'link'))).toBe(join(realRoot, 'real'));
  });

  it('the real path of something missing is below its existing parent', () => {
    expect(realPlace(join(realRoot, 'link', 'a', 'b'))).toBe(join(realRoot, 'real', 'a', 'b'));
    expect(realPlace('/')).toBe('/');
  });
});
