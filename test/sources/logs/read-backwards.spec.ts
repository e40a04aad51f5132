import { describe, expect, it } from 'vitest';
import { endOfLines, openFile } from '../../../src/sources/logs/log-files.ts';
import { readTail, type TailWanted } from '../../../src/sources/logs/read-backwards.ts';
import { line, numbered, temporary, texts, write } from '../../cli/commands/logs/harness.ts';

const tail = async (path: string, wanted: TailWanted): Promise<string[]> => {
  const active = await openFile(path);
  if (active === undefined) return texts(await readTail(path, active, wanted));
  active.offset = await endOfLines(active);
  try {
    return texts(await readTail(path, active, wanted));
  } finally {
    await active.handle.close();
  }
};

describe('the tail of a log', () => {
  it('a tail has the last lines in order, across rotated files', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.2`, ...numbered(1, 10));
    write(`${path}.1`, ...numbered(11, 20));
    write(path, ...numbered(21, 25));
    expect(await tail(path, { lines: 3 })).toEqual(['23', '24', '25']);
    expect(await tail(path, { lines: 17 })).toEqual(Array.from({ length: 17 }, (_, at) => String(9 + at)));
    expect(await tail(path, { lines: 1000 })).toHaveLength(25);
    expect(await tail(path, { lines: 0 })).toEqual([]);
  });

  it('a tail is right across block boundaries', async () => {
    const path = `${temporary()}/web.log`;
    write(path, ...numbered(1, 20_000));
    expect(await tail(path, { lines: 19_999 })).toEqual(
      Array.from({ length: 19_999 }, (_, at) => String(2 + at)),
    );
  });

  it('a tail leaves out an unfinished line', async () => {
    const path = `${temporary()}/web.log`;
    write(path, line('whole'), line('half').slice(0, -1));
    expect(await tail(path, { lines: 5 })).toEqual(['whole']);
  });

  it('a tail counts matching lines only', async () => {
    const path = `${temporary()}/web.log`;
    write(path, ...numbered(1, 100));
    expect(await tail(path, { lines: 2, grep: /^4.$/ })).toEqual(['48', '49']);
  });

  it('a tail keeps to a time range', async () => {
    const path = `${temporary()}/web.log`;
    write(path, ...[0, 10, 20, 30, 40].map((minute) => line(String(minute), minute)));
    const [since, until] = ['2026-11-21T05:10:00.000000Z', '2026-11-21T05:30:00.000000Z'];
    expect(await tail(path, { lines: 9, since })).toEqual(['10', '20', '30', '40']);
    expect(await tail(path, { lines: 9, since, until })).toEqual(['10', '20', '30']);
    expect(await tail(path, { lines: 1, until })).toEqual(['30']);
  });

  it('a tail shows a line that was written in parts as one', async () => {
    const path = `${temporary()}/web.log`;
    write(`${path}.1`, line('before'), line('aa', 0, 'stdout+'));
    write(path, line('other', 0, 'stderr'), line('bb', 0, 'stdout+'), line('cc'), line('after'));
    expect(await tail(path, { lines: 9 })).toEqual(['before', 'other', 'aabbcc', 'after']);
    expect(await tail(path, { lines: 9, grep: /aabb/ })).toEqual(['aabbcc']);
  });

  it('a tail of a silent service is empty', async () => {
    expect(await tail(`${temporary()}/web.log`, { lines: 5 })).toEqual([]);
  });
});
