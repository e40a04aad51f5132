// Needs the native addon.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appendWhole } from '../../../src/os/files/own-file.ts';
import { cFunction } from '../../../src/os/libc/libc.ts';
import { libcOfThisMachine } from '../support.ts';

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
