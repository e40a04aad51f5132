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

describe('replacing a file while other things go on', () => {
  it('replaces the content, makes missing directories, and keeps both to their owner', async () => {
    const file = join(directory, 'projects', 'shop', 'state.json');
    await replaceFileAsync(file, 'old');
    await replaceFileAsync(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'projects'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(directory, 'projects', 'shop'))).toEqual(['state.json']);
  });

  it('leaves neither half a file nor a temporary one when it fails', async () => {
    const file = join(directory, 'state.json');
    await replaceFileAsync(join(file, 'inside'), 'makes a directory of it');
    await expect(replaceFileAsync(file, 'new')).rejects.toThrow('EISDIR');
    expect(await readdir(directory)).toEqual(['state.json']);
  });

  it('never shows a reader anything but a whole file', async () => {
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
  'replacing a file before anything else, %o',
  ({ lasting }) => {
    it('makes it where there is none, its owner’s only', async () => {
      const file = join(directory, 'file');
      replaceFile(file, 'new', { backup: false, lasting });
      expect(await readFile(file, 'utf8')).toBe('new');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(['file']);
    });

    it('leaves the old one beside it and keeps its mode, where that is asked for', async () => {
      const file = join(directory, 'file');
      await writeFile(file, 'old', { mode: 0o640 });
      replaceFile(file, 'new', { backup: true, lasting });
      expect(await readFile(file, 'utf8')).toBe('new');
      expect(await readFile(`${file}.bak`, 'utf8')).toBe('old');
      expect((await stat(file)).mode & 0o777).toBe(0o640);
      expect((await readdir(directory)).sort()).toEqual(['file', 'file.bak']);
    });

    it('leaves it whole when the backup cannot be made', async () => {
      const file = join(directory, 'file');
      await writeFile(file, 'old');
      await mkdir(`${file}.bak`);
      expect(() => replaceFile(file, 'new', { backup: true, lasting })).toThrow();
      expect(await readFile(file, 'utf8')).toBe('old');
      expect((await readdir(directory)).sort()).toEqual(['file', 'file.bak']);
    });

    it('leaves neither half a file nor a temporary one when it fails', async () => {
      const file = join(directory, 'file');
      await mkdir(join(file, 'inside'), { recursive: true });
      expect(() => replaceFile(file, 'new', { backup: false, lasting })).toThrow('EISDIR');
      expect(await readdir(directory)).toEqual(['file']);
    });
  },
);
