import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openAtOnce,
  overwrite,
  readAtOnce,
  textIfThere,
  writeAtOnce,
} from '../../../src/os/files/own-file.ts';

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
