import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTrusted } from '../../../src/os/files/trusted-file.ts';
import {
  troubleAt,
  troubleOnTheWay,
  troubleWithPlace,
  type PathLook,
  type PathEntry,
} from '../../../src/os/files/trusted-directories.ts';

const STRANGER = 4242;

const directory = (mode = 0o755, uid = 0): PathEntry => ({ uid, mode: 0o040000 | mode, directory: true });
const file: PathEntry = { uid: 0, mode: 0o100644, directory: false };
const link = (target: string, uid = 0): PathEntry => ({ uid, mode: 0o120777, directory: false, target });

/** A tree of files that needs no root. */
const tree =
  (places: Readonly<Record<string, PathEntry>>): PathLook =>
  (path) => {
    const found = path === '/' ? directory() : places[path];
    if (found === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return found;
  };

const TREE = {
  '/srv': directory(),
  '/srv/file': file,
  '/open': directory(0o775),
  '/open/file': file,
  '/sticky': directory(0o1777),
  '/sticky/file': file,
  '/theirs': directory(0o755, STRANGER),
  '/theirs/file': file,
  '/srv/link': link('../theirs/file'),
  '/srv/straight': link('/srv/file'),
  '/srv/relative': link('../sticky'),
  '/srv/turned': link('/srv/file', STRANGER),
  '/srv/round': link('round'),
};
const look = tree(TREE);

const OPEN =
  'the directory /open on the way to it has mode 0775; with --sys neither group nor others may write it';
const THEIRS =
  'the directory /theirs on the way to it is owned by user 4242; with --sys it must be owned by root';

describe('the path to a file of a privileged supervisor', () => {
  it.each([
    ['/srv/file', undefined],
    ['/sticky/file', undefined],
    ['/srv/straight', undefined],
    ['/srv/relative/file', undefined],
    ['/open/file', OPEN],
    ['/theirs/file', THEIRS],
    ['/srv/link', THEIRS],
    [
      '/srv/turned',
      'the link /srv/turned on the way to it is owned by user 4242; with --sys it must be owned by root',
    ],
    ['/srv/round', 'there are too many links on the way to it'],
  ])('%s: %s', (path, trouble) => {
    expect(troubleOnTheWay(path, look)).toBe(trouble);
  });

  it('a path is checked on the disk, also along links', () => {
    const own = mkdtempSync(join(tmpdir(), 'sup-way-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    const [inner, turned] = [join(own, 'inner'), join(own, 'link')];
    mkdirSync(inner);
    writeFileSync(join(inner, 'file'), 'x', { mode: 0o600 });
    symlinkSync('inner/file', turned);
    // Without root the files already belong to a user other than root.
    const uid = process.getuid?.() === 0 ? STRANGER : process.getuid?.();
    if (uid === STRANGER) chownSync(inner, STRANGER, STRANGER);
    const stranger = uid === STRANGER ? inner : own;
    const trouble = `the directory ${stranger} on the way to it is owned by user ${uid}; with --sys it must be owned by root`;
    expect(troubleOnTheWay(join(inner, 'file'))).toBe(trouble);
    const throughLink = troubleOnTheWay(turned);
    expect(throughLink).toContain(`is owned by user ${uid}`);
    expect(troubleOnTheWay('/etc/passwd')).toBeUndefined();
  });

  it('a path is checked only with --sys', () => {
    const own = mkdtempSync(join(tmpdir(), 'sup-way-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    const path = join(own, 'file');
    writeFileSync(path, 'x', { mode: 0o600 });
    chmodSync(own, 0o777);
    const uid = process.getuid?.() ?? 0;
    expect(readTrusted(path, { uid, sys: true }, 10)).toMatchObject({ tag: 'untrusted' });
    expect(readTrusted(path, { uid, sys: false }, 10)).toMatchObject({ tag: 'read' });
  });
});

describe('a directory in which a privileged supervisor stores files', () => {
  it.each([
    ['/srv', undefined],
    ['/srv/sup/data', undefined],
    ['/sticky/sup', undefined],
    ['/open', 'it has mode 0775; with --sys neither group nor others may write it'],
    ['/sticky', 'it has mode 1777; with --sys neither group nor others may write it'],
    ['/theirs', 'it is owned by user 4242; with --sys it must be owned by root'],
    ['/open/sup/data', OPEN],
    ['/theirs/sup/data', THEIRS],
    ['/srv/relative', 'it has mode 1777; with --sys neither group nor others may write it'],
  ])('%s: %s', (path, trouble) => {
    expect(troubleWithPlace(path, look)).toBe(trouble);
  });

  it('a directory for stored files is checked on the disk', () => {
    expect(troubleWithPlace('/etc')).toBeUndefined();
    expect(troubleWithPlace('/tmp')).toBe(
      'it has mode 1777; with --sys neither group nor others may write it',
    );
    expect(() => troubleWithPlace('/etc/passwd/below')).toThrow('ENOTDIR');
  });
});

describe('a directory that root and one more user may change', () => {
  const [own, group] = [process.getuid?.() || STRANGER, process.getgid?.() || STRANGER];

  /** A directory of that user, with this mode. */
  const placeOf = (mode: number): string => {
    const place = mkdtempSync(join(tmpdir(), 'sup-own-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    if (process.getuid?.() === 0) chownSync(place, own, group);
    chmodSync(place, mode);
    return place;
  };

  it.each([0o755, 0o775])('mode %o is closed to all others if the group is the user’s own', (mode) => {
    expect(troubleAt(placeOf(mode), { uid: own, gid: group })).toBeUndefined();
    expect(troubleAt('/usr', { uid: own, gid: group })).toBeUndefined();
  });

  it('another user, another group and a mode for all are reported, on the way as well', () => {
    const place = placeOf(0o775);
    expect(troubleAt(place, { uid: own + 1, gid: group })).toBe(
      `it is owned by user ${own}; for user ${own + 1} it must be owned by root or that user`,
    );
    const trouble = `for user ${own} neither another group nor others may write it`;
    expect(troubleAt(place, { uid: own, gid: group + 1 })).toBe(`it has mode 0775; ${trouble}`);
    expect(troubleAt(join(placeOf(0o777), 'x'), { uid: own, gid: group })).toMatch(
      /^the directory .* on the way to it has mode 0777; for user/,
    );
  });
});
