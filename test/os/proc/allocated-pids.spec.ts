import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  begunSoFar,
  latestPidReader,
  mayBeAnew,
  mostPids,
  pidsGiven,
} from '../../../src/os/proc/allocated-pids.ts';

const MOST = 32_768;

describe('allocated pids', () => {
  it.each([
    ['none', [7, 7], []],
    ['those behind the first, up to the last', [7, 10], [8, 9, 10]],
    ['those at both ends, when it has come round', [MOST - 2, 1], [MOST - 1, 0, 1]],
  ] as const)('the allocated pids are %s', (_, [from, to], pids) => {
    expect(pidsGiven(from, to, MOST)).toEqual(pids);
  });

  it.each([
    ['behind the first: no', 999, false],
    ['between: yes', 1_500, true],
    ['next in turn: yes', 2_500, true],
    ['far ahead: no', 4_000, false],
  ])('a pid may have been reused: %s', (_, pid, anew) => {
    expect(mayBeAnew(1_000, 2_000, MOST)(pid)).toBe(anew);
  });

  it.each([
    ['those at the beginning', 500, true],
    ['not those before the first', 31_000, false],
  ])('a pid may have been reused after a wrap: %s', (_, pid, anew) => {
    expect(mayBeAnew(32_000, 700, MOST)(pid)).toBe(anew);
  });

  it('this kernel reports the last allocated pid', () => {
    const latestPid = latestPidReader();
    const [from, before] = [latestPid(), begunSoFar()];
    const { pid } = spawnSync('true');
    const [to, after] = [latestPid(), begunSoFar()];
    if (from === undefined || to === undefined) throw new Error('this kernel does not tell');
    expect(after).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
    expect(pidsGiven(from, to, mostPids())).toContain(pid);
    expect(mayBeAnew(from, to, mostPids())(pid)).toBe(true);
  });
});
