import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomic } from '../../../src/sinks/store/write-atomic.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sup-atomic-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('writing a file atomically', () => {
  it('replaces the content, makes missing directories, and keeps both to their owner', async () => {
    const file = join(directory, 'projects', 'shop', 'state.json');
    await writeAtomic(file, 'old');
    await writeAtomic(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'projects'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(directory, 'projects', 'shop'))).toEqual(['state.json']);
  });

  it('leaves neither half a file nor a temporary one when it fails', async () => {
    const file = join(directory, 'state.json');
    await writeAtomic(join(file, 'inside'), 'makes a directory of it');
    await expect(writeAtomic(file, 'new')).rejects.toThrow('EISDIR');
    expect(await readdir(directory)).toEqual(['state.json']);
  });

  it('never shows a reader anything but a whole file', async () => {
    const file = join(directory, 'state.json');
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000));
    await writeFile(file, texts[0] ?? '');
    const writes = Promise.all(texts.map((text) => writeAtomic(file, text)));
    const seen = new Set<string>();
    for (let reads = 0; reads < 200; reads += 1) seen.add(await readFile(file, 'utf8'));
    await writes;
    expect([...seen].filter((text) => !texts.includes(text))).toEqual([]);
  });
});
