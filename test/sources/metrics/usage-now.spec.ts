import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { usageOfTrees, usageSinceStart } from '../../../src/sources/metrics/usage-now.ts';

const MIB = 1024 * 1024;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

const begin = (script: string): number => {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
};

describe('what a tree of processes uses now', () => {
  it('is that of all its members, and of each tree that was asked for', async () => {
    const alone = begin('exec sleep 60');
    const busy = begin('(while :; do :; done) & sleep 60 & wait');
    await pause(200);
    const found = await usageOfTrees([alone, busy]);
    expect(found.get(alone)?.cpuPercent).toBeLessThan(10);
    expect(found.get(busy)?.cpuPercent).toBeGreaterThan(15);
    expect(found.get(busy)?.rssBytes).toBeGreaterThan(2 * (found.get(alone)?.rssBytes ?? 0));
  });

  it('is nobody’s where the process is gone', async () => {
    const gone = 2 ** 22 + 1;
    expect(await usageOfTrees([gone])).toEqual(new Map());
    expect(await usageOfTrees([])).toEqual(new Map());
    expect(await usageSinceStart(gone)).toBeUndefined();
  });
});

describe('what a process has used since it began', () => {
  it('is a part of the time that it had, and its memory', async () => {
    const own = await usageSinceStart(process.pid);
    expect(own?.cpuPercent).toBeGreaterThan(0);
    expect(own?.rssBytes).toBeGreaterThan(20 * MIB);
    expect(own?.rssBytes).toBeLessThan(4096 * MIB);
  });
});
