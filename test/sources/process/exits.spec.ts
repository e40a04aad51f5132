import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';
import { exits } from '../../../src/sources/process/run-ends.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { all, refOf, RUN, sh, specOf } from '../../fixtures/processes/world.ts';

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
