import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { wasOutOfMemory } from '../../../src/os/proc/cgroup-files.ts';

it.each([
  { events: 'low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n', was: true },
  { events: 'low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 3\n', was: false },
  { events: '', was: false },
])('whether the kernel killed for lack of memory in a cgroup: $was', ({ events, was }) => {
  const cgroup = mkdtempSync(join(tmpdir(), 'cg-'));
  onTestFinished(() => rmSync(cgroup, { recursive: true }));
  writeFileSync(join(cgroup, 'memory.events'), events);
  expect(wasOutOfMemory(cgroup)).toBe(was);
  rmSync(join(cgroup, 'memory.events'));
  expect(wasOutOfMemory(cgroup)).toBe(false);
});
