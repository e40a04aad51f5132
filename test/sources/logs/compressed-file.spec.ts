import { gzipSync } from 'node:zlib';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endOfLines, openFile, openOlder } from '../../../src/sources/logs/log-files.ts';
import { Follower } from '../../../src/sources/logs/follower.ts';
import { readPast } from '../../../src/sources/logs/read-forwards.ts';
import { readTail, type TailWanted } from '../../../src/sources/logs/read-backwards.ts';
import { headText, readHead } from '../../../src/streams/wire/compressed-log-head.ts';
import type { LogEntry } from '../../../src/streams/wire/log-line.ts';
import { line, numbered, temporary, texts, write } from '../../cli/commands/logs/harness.ts';

/** Compresses a file as the supervisor does; `last`: the times that the head says. */
const compress = (path: string, head?: { first: string; last: string }, inode = 0): void => {
  const content = gzipSync(readFileSync(path));
  const before = head === undefined ? [] : [Buffer.from(headText({ inode, ...head }), 'latin1')];
  writeFileSync(`${path}.gz`, Buffer.concat([...before, content]));
  rmSync(path);
};

const tail = async (path: string, wanted: TailWanted): Promise<string[]> =>
  texts(await readTail(path, undefined, wanted));

const past = async (path: string, wanted: TailWanted): Promise<string[]> => {
  const found: LogEntry[] = [];
  for await (const some of readPast({ path, active: undefined, block: 65_536 }, wanted)) found.push(...some);
  return texts(found);
};

/** The time of a line at this minute, as `line` writes it. */
const at = (minute: number): string => line('', minute).slice(0, 27);

describe.each([
  ['tail', tail],
  ['past', past],
])('compressed files, read by %s', (_, read) => {
  it('compressed and other files of a log are shown as one', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.3`, ...numbered(1, 10));
    write(`${path}.2`, ...numbered(11, 20));
    write(`${path}.1`, ...numbered(21, 30));
    const all = await read(path, { lines: 1000 });
    compress(`${path}.2`, { first: at(0), last: at(0) });
    compress(`${path}.3`);
    expect(all).toHaveLength(30);
    expect(await read(path, { lines: 1000 })).toEqual(all);
    expect(await read(path, { lines: 1000, grep: /^.5$/ })).toEqual(['15', '25']);
  });

  it('files after one that was removed are shown too', async () => {
    const path = `${temporary()}/web.log`;
    for (const number of [2, 4, 9]) write(`${path}.${number}`, line(String(number)));
    compress(`${path}.4`);
    expect(await read(path, { lines: 9 })).toEqual(['9', '4', '2']);
  });

  it('a compressed file with the inode that an older file had before is not taken for it', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.2`, line('one'));
    write(`${path}.1`, line('two'));
    compress(`${path}.1`, { first: at(0), last: at(0) });
    compress(`${path}.2`, { first: at(0), last: at(0) }, statSync(`${path}.1.gz`).ino);
    expect(await read(path, { lines: 9 })).toEqual(['one', 'two']);
  });

  it('a file whose head says that it has no line of the time range is not decompressed', async () => {
    const path = `${temporary()}/web.log`;
    const damaged: string[] = [];
    const onDamage = (file: string): void => void damaged.push(file);
    write(`${path}.1`, line('late', 40));
    for (const [name, minute] of [
      ['.2', 30],
      ['.3', 10],
    ] as const) {
      write(`${path}${name}`, line(String(minute), minute));
      compress(`${path}${name}`, { first: at(minute), last: at(minute) });
    }
    // What is damaged is reported when it is read.
    writeFileSync(`${path}.3.gz`, readFileSync(`${path}.3.gz`).subarray(0, -9));
    expect(await read(path, { lines: 9, since: at(20), onDamage })).toEqual(['30', 'late']);
    expect(damaged).toEqual([]);
    expect(await read(path, { lines: 9, until: at(20), onDamage })).toBeDefined();
    expect(new Set(damaged)).toEqual(new Set([`${path}.3.gz`]));
  });

  it('of a damaged file what comes before the damage is shown, and the rest of the log', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.1`, line('after'));
    write(`${path}.2`, ...numbered(1, 100_000));
    compress(`${path}.2`);
    const whole = readFileSync(`${path}.2.gz`);
    writeFileSync(`${path}.2.gz`, whole.subarray(0, Math.floor(whole.length / 2)));
    const damaged: string[] = [];
    const onDamage = (file: string, reason: string): void => void damaged.push(`${file} ${reason}`);
    const shown = await read(path, { lines: 200_000, onDamage });
    expect(shown.length).toBeGreaterThan(10_000);
    expect(shown[0]).toBe('1');
    expect(shown.at(-1)).toBe('after');
    expect(damaged[0]).toMatch(/web\.log\.2\.gz unexpected end of file$/);
  });
});

describe('a reader that had begun before a file was compressed', () => {
  it('a follower finds the file that came after its own', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('one'));
    const follower = await Follower.open(path, {});
    const inode = follower.file?.inode;
    write(`${path}.1`, line('one'));
    compress(`${path}.1`, { first: at(0), last: at(0) }, inode);
    rmSync(path);
    write(path, line('two'));
    const found: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) found.push(...texts((await follower.read()) ?? []));
    await follower.close();
    expect(found).toEqual(['two']);
  });

  it('a follower continues in a file that is compressed by now', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.1`, ...numbered(1, 4));
    const file = await openFile(`${path}.1`);
    const [inode, offset] = [file?.inode ?? 0, line('1').length * 2];
    await file?.handle.close();
    write(path, line('5'));
    compress(`${path}.1`, { first: at(0), last: at(0) }, inode);
    const follower = await Follower.at(path, {}, { inode, offset, parts: [] });
    const found: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) found.push(...texts((await follower.read()) ?? []));
    await follower.close();
    expect(found).toEqual(['3', '4', '5']);
  });
});

describe('the head of a compressed file', () => {
  it('the head is read as it was written', () => {
    const head = { inode: 2 ** 52, first: at(1), last: at(2) };
    expect(readHead(headText(head))).toEqual(head);
    expect(readHead(headText({ inode: 7, first: '', last: '' }))).toEqual({ inode: 7, first: '', last: '' });
    expect(readHead(gzipSync('x').toString('latin1'))).toBeUndefined();
  });

  it('a file that is empty or no gzip is reported, and nothing of it is shown', async () => {
    const path = `${temporary()}/web.log`;
    writeFileSync(`${path}.1.gz`, '');
    writeFileSync(`${path}.2.gz`, 'no gzip at all\n');
    const damaged: string[] = [];
    for (const number of [1, 2]) {
      const file = (await openOlder(path, number - 1, (name) => void damaged.push(name)))?.file;
      if (file !== undefined) expect(await endOfLines(file)).toBe(0);
      await file?.handle.close();
    }
    expect(damaged).toContain(`${path}.2.gz`);
  });
});
