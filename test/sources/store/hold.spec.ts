import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Hold,
  holdDirectory,
  holderByName,
  namesFor,
} from '../../../src/sources/store/directory-hold.ts';
import { isHeldByUs } from '../../../src/sources/store/lock.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';

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

describe('a data directory that is held', () => {
  it('is held by name, too, and free of both afterwards', async () => {
    const hold = await held();
    expect(isHeldByUs(dataDir)).toBe(true);
    expect(holderByName(dataDir)).toBe(process.pid);
    hold.release();
    expect(isHeldByUs(dataDir)).toBe(false);
    const names = namesFor(dataDir);
    expect(await names.take()).toBeUndefined();
    names.release();
  });

  it('is refused to others when its files are gone, and leaves them no files of theirs', async () => {
    const hold = await held();
    rmSync(dataDir, { recursive: true });
    expect(await holdDirectory(dataDir)).toEqual({ tag: 'held', by: process.pid });
    expect(existsSync(layoutOf(dataDir).lock)).toBe(false);
    hold.release();
  });

  it('is refused to others under another name of the same directory', async () => {
    const hold = await held();
    renameSync(dataDir, join(root, 'moved'));
    rmSync(join(root, 'moved', 'supervisor.lock'));
    expect(await holdDirectory(join(root, 'moved'))).toEqual({ tag: 'held', by: process.pid });
    hold.release();
  });

  it.each(['supervisor.lock', 'sup.pid', '.'])('makes %s again where it is gone', async (file) => {
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
