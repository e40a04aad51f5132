import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrusted } from '../../../src/os/files/trusted-file.ts';
import { directoryWith, loadFiles, portsWith } from '../../manifest/loading.ts';
import { loadManifest } from '../../../src/manifest/load.ts';

const { uid } = portsWith();
const LIMIT = 1024;
const STRANGER = 4242;

const fileWith = (content: string | Uint8Array, mode = 0o644): string => {
  const path = join(directoryWith({ file: content }), 'file');
  chmodSync(path, mode);
  return path;
};

/** A uid that does not own the file: as root the test gives the file away, else it reads as another uid. */
const asStranger = (path: string): number => {
  if (uid !== 0) return STRANGER;
  chownSync(path, STRANGER, STRANGER);
  return uid;
};

describe('reading a manifest file', () => {
  it('reading a file returns its text, size and identity', () => {
    const path = fileWith('äöü');
    expect(readTrusted(path, { uid, sys: false }, LIMIT)).toMatchObject({
      tag: 'read',
      text: 'äöü',
      bytes: 6,
    });
  });

  it('reading a file follows links to one identity', () => {
    const directory = directoryWith({ file: 'x' });
    symlinkSync('file', join(directory, 'link'));
    const [file, link] = ['file', 'link'].map((name) =>
      readTrusted(join(directory, name), { uid, sys: false }, LIMIT),
    );
    expect(link).toEqual(file);
  });

  it.each([
    ['a missing file', () => '/nowhere/at/all', 'no such file'],
    ['a directory', () => directoryWith({}), 'it is a directory'],
    ['a device', () => '/dev/zero', 'it is not a regular file'],
  ])('reading a file refuses %s', (_, path, detail) => {
    expect(readTrusted(path(), { uid, sys: false }, LIMIT)).toEqual({ tag: 'unreadable', detail });
  });

  it('reading a file does not wait for a FIFO', () => {
    const fifo = join(directoryWith({}), 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(readTrusted(fifo, { uid, sys: false }, LIMIT).tag).toBe('unreadable');
  });

  it('reading a file refuses more bytes than the limit', () => {
    expect(readTrusted(fileWith('x'.repeat(LIMIT + 1)), { uid, sys: false }, LIMIT)).toEqual({
      tag: 'too-large',
      bytes: LIMIT + 1,
    });
  });

  it('reading a file finds the first byte that is not UTF-8', () => {
    const reading = readTrusted(
      fileWith(new Uint8Array([0x61, 0x62, 0xc3, 0x28])),
      { uid, sys: false },
      LIMIT,
    );
    expect(reading).toMatchObject({ tag: 'garbled', offset: 2 });
  });
});

describe('trust in user mode', () => {
  it('a file that others may write is not trusted in user mode', () => {
    expect(readTrusted(fileWith('x', 0o646), { uid, sys: false }, LIMIT)).toEqual({
      tag: 'untrusted',
      detail: 'its mode is 0646; others must not be able to write it',
    });
  });

  it('a file that the group may write is trusted in user mode', () => {
    expect(readTrusted(fileWith('x', 0o664), { uid, sys: false }, LIMIT).tag).toBe('read');
  });

  it('a file of another user is not trusted in user mode', () => {
    const path = fileWith('x');
    expect(readTrusted(path, { uid: asStranger(path), sys: false }, LIMIT)).toMatchObject({
      tag: 'untrusted',
      detail: expect.stringMatching(
        /^it is owned by user \d+; it must be owned by user \d+ or root$/,
      ) as string,
    });
  });
});

describe('trust with --sys', () => {
  it('a file that root does not own is not trusted with --sys', () => {
    const path = fileWith('x');
    if (uid === 0) chownSync(path, STRANGER, STRANGER);
    expect(readTrusted(path, { uid: 0, sys: true }, LIMIT)).toMatchObject({
      tag: 'untrusted',
      detail: expect.stringMatching(/with --sys it must be owned by root$/) as string,
    });
  });

  it('a file that group or others may write is not trusted with --sys', () => {
    for (const mode of [0o664, 0o646])
      expect(readTrusted(fileWith('x', mode), { uid: 0, sys: true }, LIMIT).tag).toBe('untrusted');
  });

  it('a file that is not regular is not trusted with --sys', () => {
    expect(readTrusted('/dev/zero', { uid: 0, sys: true }, LIMIT).tag).toBe('untrusted');
  });
});

describe('a manifest that is not trusted', () => {
  it('a manifest or a fragment that is not trusted is ERR0219', () => {
    const root = directoryWith({ 'sup.yaml': 'version: 2' });
    chmodSync(join(root, 'sup.yaml'), 0o666);
    expect(loadManifest(join(root, 'sup.yaml'), portsWith()).problems).toMatchObject([
      { code: 'ERR0219', path: '' },
    ]);

    const parts = directoryWith({ 'sup.yaml': 'version: 2\nservices: !include s.yaml', 's.yaml': '{}' });
    chmodSync(join(parts, 's.yaml'), 0o666);
    expect(loadManifest(join(parts, 'sup.yaml'), portsWith()).problems).toMatchObject([
      { code: 'ERR0219', path: 'services', line: 2, column: 20 },
    ]);
  });

  it('a missing manifest is ERR0203', () => {
    expect(loadFiles({}).problems).toMatchObject([
      {
        code: 'ERR0203',
        message: expect.stringMatching(/sup\.yaml" cannot be read: no such file$/) as string,
      },
    ]);
  });
});
