import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countersIn, countersReader, keptWithin } from '../../../src/os/proc/counters.ts';
import { statReader } from '../../../src/os/proc/process-stat.ts';

const line = (name: string): Buffer =>
  Buffer.from(
    `9 (${name}) S 4 5 6 0 -1 8 9 10 11 12 100 20 3000 400 20 0 1 0 4711 1000 77 18446744073709551615\n`,
  );

describe('counters of a process', () => {
  it('counters are read whatever the name of the process', () => {
    for (const name of ['a', 'a b', '1 2 3) S 4 (', ''])
      expect(countersIn(9, line(name))).toEqual({
        pid: 9,
        parent: 4,
        ownTicks: 120,
        collectedTicks: 3_400,
        startTicks: 4_711,
        rssPages: 77,
      });
  });

  it('counters of this process agree with another reading of the same line', () => {
    const { read } = countersReader(0);
    const [counters, stat] = [read(process.pid), statReader()(process.pid)];
    expect(counters).toMatchObject({ parent: stat?.parent, startTicks: stat?.startTicks });
    expect(counters?.rssPages).toBeGreaterThan(1_000);
    expect(counters?.ownTicks).toBeGreaterThan(0);
  });

  it('counters of a missing process are undefined', () => {
    expect(countersReader(1).read(2 ** 30)).toBeUndefined();
  });

  /** How many of these processes are kept open here. */
  const open = (...pids: readonly (number | undefined)[]): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return pids.some((pid) => readlinkSync(`/proc/self/fd/${fd}`) === `/proc/${pid ?? 0}/stat`);
      } catch {
        return false;
      }
    }).length;

  it('counters of open files are read up to a limit, until the process ends or is released', async () => {
    const children = [1, 2, 3].map(() => spawn('sleep', ['1000']));
    const pids = children.map(({ pid = 0 }) => pid);
    const [first = 0] = pids;
    const { read, retain } = countersReader(2);
    for (let look = 0; look < 3; look += 1)
      for (const pid of pids) expect(read(pid)).toMatchObject({ pid, parent: process.pid });
    expect(open(...pids)).toBe(2);
    retain(new Set(pids.slice(1)));
    expect(open(...pids)).toBe(1);
    expect(read(first)?.pid).toBe(first);
    const ends = children.map((child) => once(child, 'exit'));
    children.forEach((child) => child.kill('SIGKILL'));
    await Promise.all(ends);
    expect(pids.map(read)).toEqual([undefined, undefined, undefined]);
    expect(open(...pids)).toBe(0);
  });

  it('files of counters are closed when descriptors are scarce', () => {
    expect([undefined, Infinity, 524_288, 4_096, 1_024, 1_023, 150].map(keptWithin)).toEqual([
      256, 256, 256, 256, 64, 0, 0,
    ]);
  });
});
