import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile, replaceFileAsync } from '../../../src/os/files/replace-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sup-atomic-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('replacing a file asynchronously', () => {
  it('a file is replaced, missing directories are created, and both are for their owner only', async () => {
    const file = join(directory, 'projects', 'shop', 'state.json');
    await replaceFileAsync(file, 'old');
    await replaceFileAsync(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'projects'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(directory, 'projects', 'shop'))).toEqual(['state.json']);
  });

  it('a failed replacement leaves neither half a file nor a temporary one', async () => {
    const file = join(directory, 'state.json');
    await replaceFileAsync(join(file, 'inside'), 'makes a directory of it');
    await expect(replaceFileAsync(file, 'new')).rejects.toThrow('EISDIR');
    expect(await readdir(directory)).toEqual(['state.json']);
  });

  it('a reader never sees a partial file', async () => {
    const file = join(directory, 'state.json');
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000));
    await writeFile(file, texts[0] ?? '');
    const writes = Promise.all(texts.map((text) => replaceFileAsync(file, text)));
    const seen = new Set<string>();
    for (let reads = 0; reads < 200; reads += 1) seen.add(await readFile(file, 'utf8'));
    await writes;
    expect([...seen].filter((text) => !texts.includes(text))).toEqual([]);
  });
});

describe.each([{ lasting: 'nothing' }, { lasting: 'content' }, { lasting: 'name' }] as const)(
  'replacing a file synchronously, %o',
  ({ lasting }) => {
    it('a missing file is created for its owner only', async () => {
      const file = join(directory, 'file');
      replaceFile(file, 'new', { backup: false, lasting });
      expect(await readFile(file, 'utf8')).toBe('new');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(['file']);
    });

    it('the old file is kept as a backup with its mode, if requested', async () => {
      const file = join(directory, 'file');
      await writeFile(file, 'old', { mode: 0o640 });
      replaceFile(file, 'new', { backup: true, lasting });
      expect(await readFile(file, 'utf8')).toBe('new');
      expect(await readFile(`${file}.bak`, 'utf8')).toBe('old');
      expect((await stat(file)).mode & 0o777).toBe(0o640);
      expect((await readdir(directory)).sort()).toEqual(['file', 'file.bak']);
    });

    it('the old file stays whole if the backup cannot be made', async () => {
      const file = join(directory, 'file');
      await writeFile(file, 'old');
      await mkdir(`${file}.bak`);
      expect(() => replaceFile(file, 'new', { backup: true, lasting })).toThrow();
      expect(await readFile(file, 'utf8')).toBe('old');
      expect((await readdir(directory)).sort()).toEqual(['file', 'file.bak']);
    });

    it('a failed synchronous replacement leaves neither half a file nor a temporary one', async () => {
      const file = join(directory, 'file');
      await mkdir(join(file, 'inside'), { recursive: true });
      expect(() => replaceFile(file, 'new', { backup: false, lasting })).toThrow('EISDIR');
      expect(await readdir(directory)).toEqual(['file']);
    });
  },
);
