import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Hold,
  holdDirectory,
  holderByName,
  isHeldByName,
  namesFor,
} from '../../../src/sources/store/directory-hold.ts';
import { isHeldByUs } from '../../../src/sources/store/lock.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';

describe('the abstract name of a data directory', () => {
  it('the abstract name shows any user whether a supervisor has the directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-names-'));
    expect(isHeldByName(directory)).toBe(false);
    const names = namesFor(directory);
    await names.take();
    expect(isHeldByName(directory)).toBe(true);
    names.release();
    expect(isHeldByName(directory)).toBe(false);
    expect(isHeldByName(join(directory, 'none'))).toBe(false);
  });
});

let root: string;
let dataDir: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sup-hold-')));
  dataDir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const held = async (): Promise<Hold> => {
  const outcome = await holdDirectory(dataDir);
  if (outcome.tag !== 'acquired') throw new Error(outcome.tag);
  return outcome.hold;
};

describe('holding a data directory', () => {
  it('a data directory is held also by name, and both are free afterwards', async () => {
    const hold = await held();
    expect(isHeldByUs(dataDir)).toBe(true);
    expect(holderByName(dataDir)).toBe(process.pid);
    hold.release();
    expect(isHeldByUs(dataDir)).toBe(false);
    const names = namesFor(dataDir);
    expect(await names.take()).toBeUndefined();
    names.release();
  });

  it('a held data directory whose files are gone is refused to others, without new files', async () => {
    const hold = await held();
    rmSync(dataDir, { recursive: true });
    expect(await holdDirectory(dataDir)).toEqual({ tag: 'held', by: process.pid });
    expect(existsSync(layoutOf(dataDir).lock)).toBe(false);
    hold.release();
  });

  it('a held data directory is refused under another name of it', async () => {
    const hold = await held();
    renameSync(dataDir, join(root, 'moved'));
    rmSync(join(root, 'moved', 'supervisor.lock'));
    expect(await holdDirectory(join(root, 'moved'))).toEqual({ tag: 'held', by: process.pid });
    hold.release();
  });

  it.each(['supervisor.lock', 'sup.pid', '.'])('a held data directory restores %s', async (file) => {
    const hold = await held();
    expect(await hold.mend()).toBe(false);
    rmSync(join(dataDir, file), { recursive: true });
    expect(await hold.mend()).toBe(true);
    expect(isHeldByUs(dataDir)).toBe(true);
    expect(existsSync(layoutOf(dataDir).pid)).toBe(true);
    expect(await hold.mend()).toBe(false);
    hold.release();
  });
});
