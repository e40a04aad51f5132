import { renameSync, rmSync, truncateSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Follower } from '../../../src/sources/logs/follower.ts';
import { line, numbered, temporary, texts, write } from '../../cli/commands/logs/harness.ts';

const MISSED = 'some lines may have been rotated away before they were read';

const open = async (path: string): Promise<Follower> => {
  const follower = await Follower.open(path, {});
  onTestFinished(() => follower.close());
  return follower;
};
const all = async (follower: Follower): Promise<string[]> => {
  const found: string[] = [];
  for (let more = await follower.read(); more !== undefined; more = await follower.read())
    found.push(...texts(more));
  return found;
};
/** As the supervisor does it. */
const rotate = (path: string, files: number): void => {
  for (let to = files; to > 1; to -= 1) renameSync(`${path}.${String(to - 1)}`, `${path}.${String(to)}`);
  renameSync(path, `${path}.1`);
};

describe('following a log', () => {
  it('following starts at the end of a log and gives new lines', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('old'));
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('one'), line('two'));
    expect(await all(follower)).toEqual(['one', 'two']);
  });

  it('following waits for a missing file and for complete lines', async () => {
    const path = `${temporary()}/web.log`;
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('whole').slice(0, -4));
    expect(await all(follower)).toEqual([]);
    write(path, line('whole').slice(-4));
    expect(await all(follower)).toEqual(['whole']);
  });

  it('several rotations between two reads lose nothing', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    write(path, ...numbered(1, 3));
    rotate(path, 1);
    write(path, ...numbered(4, 5));
    rotate(path, 2);
    write(path, ...numbered(6, 6));
    rotate(path, 3);
    write(path, ...numbered(7, 9));
    expect(await all(follower)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('lines that were written after the last read and before a rotation are given', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('1'));
    rotate(path, 1);
    write(path, line('2'));
    expect(await all(follower)).toEqual(['1', '2']);
  });

  it('files that may have been removed unread are reported', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    rmSync(path);
    write(`${path}.1`, line('8'));
    write(path, line('9'));
    expect(await all(follower)).toEqual([MISSED, '8', '9']);
  });

  it('nothing is reported as missing if rotated files are not kept, and everything is given', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    write(path, line('1'));
    // As the supervisor does it with `max_files: 0`.
    rmSync(path);
    write(path, line('2'));
    expect(await all(follower)).toEqual(['1', MISSED, '2']);
  });

  it('following starts over when the file was truncated', async () => {
    const path = `${temporary()}/web.log`;
    write(path, ...numbered(1, 9));
    const follower = await open(path);
    truncateSync(path);
    write(path, line('new'));
    expect(await all(follower)).toEqual(['new']);
  });

  it('a backlog is read in bounded pieces', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    write(path, ...numbered(1, 30_000));
    const first = (await follower.read()) ?? [];
    expect(first.length).toBeLessThan(10_000);
    expect([...texts(first), ...(await all(follower))]).toEqual(
      Array.from({ length: 30_000 }, (_, at) => String(at + 1)),
    );
  });
});

describe('following a log from a position', () => {
  const goingOn = async (path: string, before: Follower): Promise<Follower> => {
    const follower = await Follower.at(path, {}, before.place);
    onTestFinished(() => follower.close());
    return follower;
  };

  it('following continues from a position across rotations', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const before = await open(path);
    write(path, line('1'));
    expect(await all(before)).toEqual(['1']);
    write(path, line('2'));
    rotate(path, 1);
    write(path, line('3'));
    expect(await all(await goingOn(path, before))).toEqual(['2', '3']);
  });

  it('following starts with the first line of a file that did not exist yet', async () => {
    const path = `${temporary()}/web.log`;
    const before = await open(path);
    write(path, line('first'));
    expect(await all(await goingOn(path, before))).toEqual(['first']);
  });

  it('following continues within a long line', async () => {
    const path = `${temporary()}/web.log`;
    const before = await open(path);
    write(path, line('long ').replace('stdout', 'stdout+'));
    expect(await all(before)).toEqual([]);
    write(path, line('line'));
    expect(await all(await goingOn(path, before))).toEqual(['long line']);
  });

  it('a file that is gone is reported, and the rest is given', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const before = await open(path);
    renameSync(path, `${path}.away`);
    write(path, line('later'));
    expect(await all(await goingOn(path, before))).toEqual([MISSED, 'later']);
  });
});
