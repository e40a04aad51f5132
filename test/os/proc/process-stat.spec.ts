import { describe, expect, it } from 'vitest';
import {
  parseStat,
  startTicksOf,
  statOf,
  statOfProcess,
  statReader,
} from '../../../src/os/proc/process-stat.ts';

const rest = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1 18 4711 20 21 22 23';

describe('a line of /proc/<pid>/stat', () => {
  it('a line is read past a name with spaces and parentheses', () => {
    expect(parseStat(9, `9 (a) S 1 (b) Z ${rest}`)).toMatchObject({
      zombie: true,
      parent: 1,
      group: 2,
      session: 3,
    });
    expect(parseStat(9, `9 (x) S ${rest}`)).toMatchObject({
      zombie: false,
      startTicks: 4711,
      environmentAt: '0',
    });
  });

  it('a process without its first thread counts as living while another thread does', () => {
    const threads = rest.replace('1 18 4711', '2 18 4711');
    expect(parseStat(9, `9 (x) Z ${threads}`)).toMatchObject({ zombie: false, isHeadless: true });
    expect(parseStat(9, `9 (x) Z ${rest}`)).toMatchObject({ zombie: true });
    expect(parseStat(9, `9 (x) S ${threads}`).isHeadless).toBeUndefined();
  });

  it('the line of this process has its parent', () => {
    const stat = statReader()(process.pid);
    expect(stat).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(stat?.environmentAt).not.toBe('0');
  });

  it('a missing process is undefined', () => {
    expect(statReader()(2 ** 30)).toBeUndefined();
    expect(statOf(2 ** 30)).toBeUndefined();
    expect(startTicksOf(2 ** 30)).toBeUndefined();
  });

  it('a process is identified by pid and start time together', () => {
    const startTicks = startTicksOf(process.pid) ?? 0;
    expect(statOfProcess({ pid: process.pid, startTicks })?.parent).toBe(process.ppid);
    expect(statOfProcess({ pid: process.pid, startTicks: startTicks + 1 })).toBeUndefined();
  });
});
