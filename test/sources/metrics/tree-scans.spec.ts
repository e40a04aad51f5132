import { spawn, type ChildProcess } from 'node:child_process';
import pidusage from 'pidusage';
import { afterEach, describe, expect, it } from 'vitest';
import { startTicksOf } from '../../../src/os/proc/process-stat.ts';
import { treeScans } from '../../../src/sources/metrics/tree-scans.ts';
import { runId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import { unitMark } from '../../../src/streams/env/run-tag.ts';
import type { SampledRun } from '../../../src/streams/metrics/sampled-runs.ts';
import { rssOf } from '../../../src/streams/metrics/sample.ts';
import { nameAndState, until } from '../../fixtures/processes/world.ts';
import { idOf } from '../../support/spec.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

const begin = (service: ServiceId, script: string): SampledRun => {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  children.push(child);
  const pid = child.pid ?? 0;
  return { service, leader: { pid, startTicks: startTicksOf(pid) ?? 0 }, mark: unitMark(service, runId(1)) };
};

describe('a sample of trees', () => {
  it('a sample counts the whole tree as pidusage counts its processes', async () => {
    const web = begin(idOf('web'), 'sleep 60 & sleep 60 & wait');
    const take = treeScans({ dataDir: '/nowhere' });
    const states = (): readonly string[] =>
      (take([web]).trees.get(idOf('web'))?.members ?? []).map(({ pid }) => nameAndState(pid));
    // Those that wait take no memory any more.
    await until(() => states().toSorted().join() === 'sh S,sleep S,sleep S');
    const members = take([web]).trees.get(idOf('web'))?.members ?? [];
    expect(members).toHaveLength(3);
    const theirs = await pidusage(members.map(({ pid }) => pid));
    for (const { pid, parent, rssBytes } of members)
      expect({ parent, rssBytes }).toEqual({ parent: theirs[pid]?.ppid, rssBytes: theirs[pid]?.memory });
    expect(rssOf(members)).toBeGreaterThan(0);
  });

  it('samples show rising CPU time and new processes', async () => {
    const web = begin(idOf('web'), 'while :; do :; done & wait');
    const take = treeScans({ dataDir: '/nowhere' });
    const used = () =>
      (take([web]).trees.get(idOf('web'))?.members ?? []).reduce((all, { own }) => all + own, 0);
    const before = used();
    await until(() => used() > before);
  });

  it('a sample leaves out exited processes and reused pids', () => {
    const web = begin(idOf('web'), 'sleep 60');
    const take = treeScans({ dataDir: '/nowhere' });
    const other = { ...web, leader: { pid: web.leader.pid, startTicks: web.leader.startTicks + 1 } };
    expect(take([other]).trees.size).toBe(0);
    expect(take([]).trees.size).toBe(0);
  });

  it('a sample reads the name of each run a few times, however many strangers there are', () => {
    Array.from({ length: 20 }, () => begin(idOf('stranger'), 'sleep 60'));
    let reads = 0;
    const runs = Array.from({ length: 10 }, (_, at): SampledRun => ({
      service: idOf(`s${at}`),
      leader: { pid: 4_194_304 + at, startTicks: 1 },
      get mark() {
        reads += 1;
        return unitMark(idOf(`s${at}`), runId(1));
      },
    }));
    treeScans({ dataDir: '/nowhere' })(runs);
    expect(reads).toBeLessThan(10 * runs.length);
  });
});
