import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogReader } from '../../../src/sources/logs/log-reader.ts';
import type { TailWanted } from '../../../src/sources/logs/read-backwards.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { stampOf } from '../../../src/streams/wire/log-line.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { line, temporary, texts, write } from '../../cli/commands/logs/harness.ts';

const WEB = serviceId(projectId('shop'), 'web');
const OTHER = serviceId(projectId('blog'), 'web');

const linkOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
};

const reader = async (dataDir: string, wanted: TailWanted): Promise<LogReader> => {
  const opened = await LogReader.open(dataDir, [WEB, OTHER], wanted);
  onTestFinished(() => opened.close());
  return opened;
};

describe('reading the logs of several services', () => {
  it('tails of several services are merged by time, and services with the same name kept apart', async () => {
    const dataDir = temporary();
    const { log } = layoutOf(dataDir);
    write(log(WEB), line('a', 1), line('c', 3));
    write(log(OTHER), line('b', 2), line('d', 4));
    const tail = await (await reader(dataDir, { lines: 9 })).tail();
    expect(tail.map(({ service, text }) => [service, text])).toEqual([
      [WEB, 'a'],
      [OTHER, 'b'],
      [WEB, 'c'],
      [OTHER, 'd'],
    ]);
  });

  it('following starts where the tail ended and gives everything up to the end', async () => {
    const dataDir = temporary();
    const { log } = layoutOf(dataDir);
    write(log(WEB), line('before'));
    const opened = await reader(dataDir, { lines: 9 });
    write(log(WEB), line('between'));
    expect(texts(await opened.tail())).toEqual(['before']);
    const enough = new AbortController();
    const seen: string[] = [];
    for await (const entries of opened.follow(enough.signal)) {
      seen.push(...texts(entries));
      if (seen.length === 1) write(log(OTHER), line('first'));
      if (seen.length !== 2 || enough.signal.aborted) continue;
      write(log(WEB), line('last'));
      enough.abort();
    }
    expect(seen).toEqual(['between', 'first', 'last']);
  });

  it('the log of a removed service is closed when it is silent, and none of it is shown again', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: new Date('2026-11-21T06:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const dataDir = temporary();
    const { log } = layoutOf(dataDir);
    write(log(WEB), line('before'));
    const opened = await reader(dataDir, { lines: 9, since: '2026' });
    const held = (): readonly string[] =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === log(WEB));
    const enough = new AbortController();
    const rounds = opened.follow(enough.signal);
    const next = async (): Promise<readonly string[]> => {
      const round = await rounds.next();
      return round.done === true ? [] : texts(round.value);
    };
    await next();
    opened.leave(WEB);
    vi.advanceTimersByTime(59_000);
    write(log(WEB), line('last'));
    expect(await next()).toEqual(['last']);
    vi.advanceTimersByTime(59_000);
    await next();
    expect(held()).toHaveLength(1);
    vi.advanceTimersByTime(61_000);
    await next();
    await next();
    expect(held()).toEqual([]);
    expect(opened.keep(WEB)).toBe(false);
    await opened.add(WEB);
    write(log(WEB), `${stampOf(new Date())} stdout anew\n`);
    expect(await next()).toEqual(['anew']);
    enough.abort();
    await rounds.return(undefined);
  });
});
