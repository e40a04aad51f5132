import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  appendWhole,
  openAtOnce,
  overwrite,
  readAtOnce,
  textIfThere,
  writeAtOnce,
} from '../../../src/os/files/own-file.ts';
import { cFunction } from '../../../src/os/libc/libc.ts';
import { libcOfThisMachine } from '../support.ts';

let directory: string;
let fifo: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-own-file-'));
  fifo = join(directory, 'fifo');
  expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a FIFO in place of an own file', () => {
  it('a FIFO in place of a file is refused at once', () => {
    expect(() => readAtOnce(fifo)).toThrow(`${fifo} is a FIFO or a socket, not a file`);
    expect(() => openAtOnce(fifo, constants.O_RDWR)).toThrow('is a FIFO or a socket');
    expect(textIfThere(fifo)).toBeInstanceOf(Error);
    expect(() => writeAtOnce(fifo, 'x')).toThrow('is a FIFO or a socket');
    expect(() => overwrite(fifo, 'x')).toThrow('is a FIFO or a socket');
  });

  it('a FIFO with a reader is refused too', () => {
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      expect(() => writeAtOnce(fifo, 'x')).toThrow('is a FIFO or a socket');
    } finally {
      closeSync(reader);
    }
  });
});

describe('a regular file', () => {
  it('a regular file is written for its owner only, replaces what was there, and is read', () => {
    const file = join(directory, 'file');
    writeAtOnce(file, 'longer');
    writeAtOnce(file, 'short');
    expect(readAtOnce(file).toString()).toBe('short');
    expect(readFileSync(file, 'utf8')).toBe('short');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('reading a file that may be missing', () => {
  it('an existing file is read', () => {
    writeFileSync(join(directory, 'file'), 'text');
    expect(textIfThere(join(directory, 'file'))).toBe('text');
  });

  it('a missing file is no error', () => {
    expect(textIfThere(join(directory, 'file'))).toBeUndefined();
  });

  it('an unreadable file is an error', () => {
    expect(textIfThere(directory)).toMatchObject({ code: 'EISDIR' });
  });
});

describe('overwriting a file', () => {
  it('a file is created, and stays the same inode', () => {
    const file = join(directory, 'file');
    overwrite(file, 'one  ');
    const { ino, mode } = statSync(file);
    overwrite(file, 'other');
    expect(readFileSync(file, 'utf8')).toBe('other');
    expect(statSync(file)).toMatchObject({ ino, mode });
    expect(mode & 0o777).toBe(0o600);
  });

  it('a symbolic link is not followed', () => {
    const link = join(directory, 'link');
    symlinkSync(join(directory, 'elsewhere'), link);
    expect(() => {
      overwrite(link, 'text');
    }).toThrow('ELOOP');
  });
});

// Needs the native addon.

const PRLIMIT = cFunction('int', 'prlimit', 'int', 'int', 'pointer', 'pointer');
const FILE_SIZE = 1;
/** An entry that does not fit into what `withFilesUpTo` leaves. */
const LONG = `${'x'.repeat(100_000)}\n`;

const temporary = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'append-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'events');
};

/** As on a disk that fills up within a write: no file of this process may grow beyond so many bytes meanwhile. */
const withFilesUpTo = async (bytes: number, act: () => Promise<void>): Promise<void> => {
  const libc = libcOfThisMachine();
  const before = Buffer.alloc(16);
  libc.call(PRLIMIT, 0, FILE_SIZE, null, before);
  const less = Buffer.from(before);
  less.writeBigUInt64LE(BigInt(bytes), 0);
  const ignored = (): void => undefined;
  process.on('SIGXFSZ', ignored);
  libc.call(PRLIMIT, 0, FILE_SIZE, less, null);
  try {
    await act();
  } finally {
    libc.call(PRLIMIT, 0, FILE_SIZE, before, null);
    process.off('SIGXFSZ', ignored);
  }
};

it('an entry is appended to a regular file', async () => {
  const path = temporary();
  await appendWhole(path, 'one\n');
  await appendWhole(path, 'two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('an entry that was half written is removed, and the next one is whole', async () => {
  const path = temporary();
  writeFileSync(path, 'one\n');
  await withFilesUpTo(8_192, async () => {
    await expect(appendWhole(path, LONG)).rejects.toThrow('EFBIG');
  });
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  await appendWhole(path, 'two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

it('an entry of which nothing was written leaves the file unchanged', async () => {
  const path = temporary();
  await appendWhole(path, 'one\n');
  await withFilesUpTo(4, async () => {
    await expect(appendWhole(path, LONG)).rejects.toThrow('EFBIG');
  });
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

it('a device is not appended to', async () => {
  await expect(appendWhole('/dev/full', 'one\n')).rejects.toThrow('/dev/full is not appended to');
});
