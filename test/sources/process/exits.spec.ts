import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { exitLedger } from '../../../src/sinks/process/ledger.ts';
import { exits } from '../../../src/sources/process/exits.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { all, refOf, RUN, sh, specOf } from '../../fixtures/processes/world.ts';

const web = specOf(sh(''));
const exitOf = (process: ProcessRef, ledger = exitLedger()): Promise<readonly Event[]> =>
  all(exits({ ledger })({ type: 'exit', key: 'k', service: web.id, run: RUN, process }));

describe('the exit of a leader', () => {
  it('is told however late one asks, if it was a child of ours', async () => {
    const ledger = exitLedger();
    const child = { pid: 2 ** 30, startTicks: 1 };
    ledger.record(child, Promise.resolve({ tag: 'code', code: 7 }));
    expect(await exitOf(child, ledger)).toEqual([
      { type: 'exited', service: web.id, run: RUN, status: { tag: 'code', code: 7 } },
    ]);
    expect(ledger.exitOf(child)).toBeUndefined();
  });

  it('is unknown if it was adopted', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const exited = exitOf(refOf(child.pid!)!);
    child.kill('SIGKILL');
    expect(await exited).toMatchObject([{ type: 'exited', status: { tag: 'unknown' } }]);
  });

  it('is told of a pid that is somebody else now', async () => {
    const own = refOf(process.pid)!;
    expect(await exitOf({ pid: own.pid, startTicks: own.startTicks - 1 })).toMatchObject([
      { status: { tag: 'unknown' } },
    ]);
  });

  it('is told of a zombie that nobody collects', async () => {
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
