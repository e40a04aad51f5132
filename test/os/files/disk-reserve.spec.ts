import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdReserve, isFullDisk, restoreReserve, useReserve } from '../../../src/os/files/disk-reserve.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'reserve-'))));
afterEach(() => rmSync(directory, { recursive: true }));

describe('the reserved disk space', () => {
  it('disk space is reserved while there is plenty, and kept', () => {
    const file = join(directory, 'reserve');
    holdReserve(file);
    const { ino, size, blocks } = statSync(file);
    expect({ size, sparse: blocks * 512 < size }).toEqual({ size: 65_536, sparse: false });
    holdReserve(file);
    useReserve(file);
    expect(statSync(file).ino).toBe(ino);
  });

  it('disk space is reserved again at the end of a supervisor', () => {
    const file = join(directory, 'reserve');
    restoreReserve(file);
    const { ino, size } = statSync(file);
    restoreReserve(file);
    expect(statSync(file)).toMatchObject({ ino, size });
    expect(size).toBe(65_536);
  });

  it('a disk that is not full is not called full because of the reserve', () => {
    expect([isFullDisk(directory), isFullDisk(join(directory, 'nowhere'))]).toEqual([false, false]);
  });

  it('a missing directory needs no reserve', () => {
    const file = join(directory, 'nowhere', 'reserve');
    holdReserve(file);
    useReserve(file);
    expect(existsSync(file)).toBe(false);
  });
});
