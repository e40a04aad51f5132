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
  it('begins at its end and gives what comes', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('old'));
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('one'), line('two'));
    expect(await all(follower)).toEqual(['one', 'two']);
  });

  it('waits for a file that is not there yet, and for a line to be whole', async () => {
    const path = `${temporary()}/web.log`;
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('whole').slice(0, -4));
    expect(await all(follower)).toEqual([]);
    write(path, line('whole').slice(-4));
    expect(await all(follower)).toEqual(['whole']);
  });

  it('loses nothing over several rotations between two looks', async () => {
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

  it('gives what was written after the last look and before the rotation', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    expect(await all(follower)).toEqual([]);
    write(path, line('1'));
    rotate(path, 1);
    write(path, line('2'));
    expect(await all(follower)).toEqual(['1', '2']);
  });

  it('says so when files may have been rotated away before they were read', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    rmSync(path);
    write(`${path}.1`, line('8'));
    write(path, line('9'));
    expect(await all(follower)).toEqual([MISSED, '8', '9']);
  });

  it('claims no more than that of a log whose files are not kept, and gives all of it', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const follower = await open(path);
    write(path, line('1'));
    // As the supervisor does it with `max_files: 0`.
    rmSync(path);
    write(path, line('2'));
    expect(await all(follower)).toEqual(['1', MISSED, '2']);
  });

  it('starts over when the file was emptied', async () => {
    const path = `${temporary()}/web.log`;
    write(path, ...numbered(1, 9));
    const follower = await open(path);
    truncateSync(path);
    write(path, line('new'));
    expect(await all(follower)).toEqual(['new']);
  });

  it('reads a backlog a bounded number of bytes at a time', async () => {
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

describe('following a log from where another one was', () => {
  const goingOn = async (path: string, before: Follower): Promise<Follower> => {
    const follower = await Follower.at(path, {}, before.place);
    onTestFinished(() => follower.close());
    return follower;
  };

  it('gives what comes behind that, over rotations in between', async () => {
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

  it('begins with the first line of a file that was not there yet', async () => {
    const path = `${temporary()}/web.log`;
    const before = await open(path);
    write(path, line('first'));
    expect(await all(await goingOn(path, before))).toEqual(['first']);
  });

  it('goes on in the middle of a long line', async () => {
    const path = `${temporary()}/web.log`;
    const before = await open(path);
    write(path, line('long ').replace('stdout', 'stdout+'));
    expect(await all(before)).toEqual([]);
    write(path, line('line'));
    expect(await all(await goingOn(path, before))).toEqual(['long line']);
  });

  it('says so when the file is gone, and gives what there is', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('0'));
    const before = await open(path);
    renameSync(path, `${path}.away`);
    write(path, line('later'));
    expect(await all(await goingOn(path, before))).toEqual([MISSED, 'later']);
  });
});
