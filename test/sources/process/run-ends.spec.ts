import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import { portWitness } from '../../../src/sources/process/port-witness.ts';
import { exits, tree } from '../../../src/sources/process/run-ends.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Capture } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { all, pidIn, refOf, RUN, sh, specOf, world, type World } from '../../fixtures/processes/world.ts';

const web = specOf(sh(''));
const exitOf = (
  process: ProcessRef,
  { ledger = exitLedger(), cgroup }: { ledger?: ReturnType<typeof exitLedger>; cgroup?: string } = {},
): Promise<readonly Event[]> =>
  all(
    exits({ ledger })({
      ...{ type: 'exit', key: 'k', service: web.id, run: RUN, process },
      ...(cgroup !== undefined && { cgroup }),
    }),
  );

describe('the exit of a leader', () => {
  it('the exit of a child is reported, however late the request', async () => {
    const ledger = exitLedger();
    const child = { pid: 2 ** 30, startTicks: 1 };
    ledger.record(child, Promise.resolve({ tag: 'code', code: 7 }));
    expect(await exitOf(child, { ledger })).toEqual([
      { type: 'exited', service: web.id, run: RUN, status: { tag: 'code', code: 7 } },
    ]);
    expect(ledger.exitOf(child)).toBeUndefined();
  });

  it('the exit of an adopted process is unknown', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const exited = exitOf(refOf(child.pid!)!);
    child.kill('SIGKILL');
    expect(await exited).toMatchObject([{ type: 'exited', status: { tag: 'unknown' } }]);
  });

  it('an exit for lack of memory is named, also of an adopted process', async () => {
    const cgroup = mkdtempSync(join(tmpdir(), 'cg-'));
    onTestFinished(() => rmSync(cgroup, { recursive: true }));
    const gone = { pid: 2 ** 30, startTicks: 1 };
    writeFileSync(join(cgroup, 'memory.events'), 'oom 1\noom_kill 1\n');
    expect(await exitOf(gone, { cgroup })).toMatchObject([{ status: { tag: 'unknown', outOfMemory: true } }]);
    // Its end is heard of, and this kernel does not tell how it ended.
    const waited = exitLedger(() => Promise.resolve({ tag: 'unknown' }));
    expect(await exitOf(gone, { ledger: waited, cgroup })).toMatchObject([{ status: { outOfMemory: true } }]);
    writeFileSync(join(cgroup, 'memory.events'), 'oom 0\noom_kill 0\n');
    expect((await exitOf(gone, { cgroup }))[0]).toEqual({
      ...{ type: 'exited', service: web.id, run: RUN },
      status: { tag: 'unknown' },
    });
  });

  it('the exit of a reused pid is reported', async () => {
    const own = refOf(process.pid)!;
    expect(await exitOf({ pid: own.pid, startTicks: own.startTicks - 1 })).toMatchObject([
      { status: { tag: 'unknown' } },
    ]);
  });

  it('the exit of a zombie that is not reaped is reported', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
    );
    expect(await exitOf(refOf(pid) ?? { pid, startTicks: 0 })).toMatchObject([
      { status: { tag: 'unknown' } },
    ]);
    parent.kill('SIGKILL');
  });
});

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());
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
  const scanner = processScanner({ dataDir: here.dataDir });
  const witness = portWitness({ dataDir: here.dataDir, scanner });
  const ports = { scanner, witness, capture: options.capture ?? here.capture };
  const { cgroup } = options;
  const watch = { type: 'tree', fifoPair: 0, key: 'k', service: web.id, run: RUN, process: leader } as const;
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
