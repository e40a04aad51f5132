// Needs the native addon.
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFifo } from '../../../src/os/libc/file-calls.ts';
import { libcOfThisMachine } from '../support.ts';

const place = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-fifo-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'web.stdout');
};

it('a FIFO is created once, for its owner only', () => {
  const path = place();
  makeFifo(libcOfThisMachine(), path);
  makeFifo(libcOfThisMachine(), path);
  const made = lstatSync(path);
  expect([made.isFIFO(), made.mode & 0o777]).toEqual([true, 0o600]);
});

it('a FIFO that cannot be created is an error with its reason', () => {
  expect(() => makeFifo(libcOfThisMachine(), `${place()}/below`)).toThrow('mkfifo: ENOENT');
});
