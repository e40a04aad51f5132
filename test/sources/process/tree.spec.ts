import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { procCensus } from '../../../src/sources/process/census.ts';
import { portWitness } from '../../../src/sources/process/port-witness.ts';
import { tree } from '../../../src/sources/process/run-ends.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Capture } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { all, pidIn, refOf, RUN, sh, specOf, world, type World } from '../../fixtures/processes/world.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const web = specOf(sh(''));
const started = (command: string): ProcessRef => {
  const options = {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', DIR: here.dataDir },
  } as const;
  return refOf(spawn('/bin/sh', ['-c', command], options).pid!)!;
};
const surveys = (
  leader: ProcessRef,
  options: { capture?: Capture; seen?: (alive: readonly ProcessRef[]) => void; cgroup?: string } = {},
): Promise<readonly Event[]> => {
  const census = procCensus({ dataDir: here.dataDir });
  const witness = portWitness({ dataDir: here.dataDir, census });
  const ports = { census, witness, capture: options.capture ?? here.capture };
  const { cgroup } = options;
  const watch = { type: 'tree', lane: 0, key: 'k', service: web.id, run: RUN, process: leader } as const;
  return all(
    tree(ports)({ ...watch, ...(cgroup !== undefined && { cgroup }) }).pipe(
      tap((event) => event.type === 'surveyed' && options.seen?.(event.alive)),
    ),
  );
};
const pidsOf = (event: Event | undefined): readonly number[] =>
  event?.type === 'surveyed' ? event.alive.map(({ pid }) => pid) : [];
const kill = (pid: number): void => void process.kill(pid, 'SIGKILL');

describe('the tree of a run', () => {
  it('a tree is reported at once, with each change, and finally with evidence when it is empty', async () => {
    const leader = started('echo one; sleep 60 & echo $! > $DIR/child; exec sleep 60');
    const child = await pidIn(join(here.dataDir, 'child'));
    const captured = { ...here.capture, tail: () => ['last words'] };
    const seen: (readonly number[])[] = [];
    const events = await surveys(leader, {
      capture: captured,
      seen: (alive) => {
        seen.push(alive.map(({ pid }) => pid));
        if (alive.length === 2) kill(leader.pid);
        if (alive.length === 1) kill(child);
      },
    });
    expect(seen).toEqual([expect.arrayContaining([leader.pid, child]), [child], []]);
    expect(events.at(-1)).toEqual({
      type: 'surveyed',
      service: web.id,
      run: RUN,
      alive: [],
      evidence: ['last words'],
    });
    expect(
      events.slice(0, -1).every((event) => event.type === 'surveyed' && event.evidence.length === 0),
    ).toBe(true);
  });

  it('a tree is not gone while its cgroup has a living member, which is reported apart', async () => {
    const leader = started('exec sleep 60');
    const stranger = started('exec sleep 60');
    const turns = [leader.pid, stranger.pid];
    const cgroup = join(here.dataDir, 'cgroup');
    mkdirSync(cgroup);
    writeFileSync(join(cgroup, 'cgroup.procs'), `${leader.pid}\n${stranger.pid}\n4194305\n`);
    const events = await surveys(leader, {
      cgroup,
      capture: { ...here.capture, tail: () => [] },
      seen: () => {
        const next = turns.shift();
        if (next !== undefined) kill(next);
      },
    });
    const told = events.map((event) =>
      event.type === 'surveyed' ? [event.alive.length, event.unproven?.map(({ pid }) => pid)] : [],
    );
    expect(told).toEqual([
      [1, undefined],
      [0, [stranger.pid]],
      [0, undefined],
    ]);
  });

  it('an empty tree is reported once', async () => {
    const events = await surveys(
      { pid: 2 ** 30, startTicks: 1 },
      { capture: { ...here.capture, tail: () => [] } },
    );
    expect(events).toHaveLength(1);
    expect(pidsOf(events[0])).toEqual([]);
  });
});
