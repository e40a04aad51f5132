// A FIFO holder, and the processes that have its FIFOs open.
import { spawn } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, readlinkSync, readSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { libcOf, openLibc } from '../../../../src/os/libc/libc.ts';
import { processIds } from '../../../../src/os/proc/process-facts.ts';
import { startTicksOf } from '../../../../src/os/proc/process-stat.ts';
import { openChildEnd, openReaderEnd } from '../../../../src/sinks/logs/fifo/fifo-ends.ts';
import { fifoMaker } from '../../../../src/sinks/logs/fifo/make-fifos.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import type { ProcessRef } from '../../../../src/streams/domain/service/process.ts';
import { nameAndState } from '../../../fixtures/processes/world.ts';
import { until } from '../harness.ts';
import {
  FifoHolder,
  type FifoHolderPorts,
  type OpenFifo,
} from '../../../../src/sinks/logs/fifo/fifo-holder.ts';

export const recorded = (pidFile: string): number => Number(readFileSync(pidFile, 'utf8').split(' ')[0]);
export const sleeper = (): number => {
  const { pid = 0 } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => {
    if (startTicksOf(pid) !== undefined) process.kill(pid, 'SIGKILL');
  });
  return pid;
};

/** A killed leader and its child process, with this in their environment. */
export const orphanedBy = async (
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly leader: ProcessRef; readonly left: number }> => {
  const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: '/usr/bin:/bin', ...environment },
  });
  const pid = child.pid ?? 0;
  const leader = { pid, startTicks: startTicksOf(pid) ?? 0 };
  onTestFinished(() => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended in the test, as it should.
    }
  });
  const [told] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await once(child, 'exit');
  const left = Number(told.toString());
  // During `exec` it has no environment.
  await until(() => nameAndState(left) === 'sleep S');
  return { leader, left };
};

/** The processes that have it open, except this one. */
export const holdersOf = (fifo: string): readonly number[] =>
  processIds().filter((pid) => {
    try {
      const open = `/proc/${pid}/fd`;
      return pid !== process.pid && readdirSync(open).some((one) => readlinkSync(join(open, one)) === fifo);
    } catch {
      return false;
    }
  });

export const fifosIn = async (directory: string, ...names: readonly string[]): Promise<readonly string[]> => {
  const fifos = names.map((name) => join(directory, name));
  await fifoMaker(() => undefined)(fifos);
  return fifos;
};

export const manyIn = (directory: string, count: number): Promise<readonly string[]> =>
  fifosIn(directory, ...Array.from({ length: count }, (_, at) => `s${at}.stdout`));

export const read = (fifo: string): OpenFifo => ({ ...openReaderEnd(fifo), fifo, unkept: false });

export const letGo = (kept: OpenFifo[]): void => {
  for (const { descriptor } of kept.splice(0)) closeSync(descriptor);
};

/** As many as a holder is told of within two seconds, and a little while: of what is not there. */
export const toldAll = (holder: FifoHolder): void => {
  for (let at = 0; at < 128; at += 1) holder.note([`/nonexistent/${at}`], { fresh: true, unkept: false });
};

/** Until the test is over, or takes real ones. */
export const withoutTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** The output left by a service that died without a reader: none if no holder has the FIFO. */
export const outlived = (fifo: string): string => {
  const end = openChildEnd(fifo);
  writeSync(end, 'last words\n');
  closeSync(end);
  const { descriptor: next } = openReaderEnd(fifo);
  onTestFinished(() => closeSync(next));
  const bytes = Buffer.alloc(100);
  return bytes.toString('utf8', 0, readSync(next, bytes));
};

/** Of a supervisor on this data directory, which reads nothing where not said otherwise. */
export const holderOf = (
  dataDir: string,
  {
    kept = () => [],
    isScarce = () => false,
    makeFifos = fifoMaker(() => undefined, libcOf(openLibc())),
  }: Partial<FifoHolderPorts> = {},
): FifoHolder => {
  const { fifoHolderPid: pidFile, silence } = layoutOf(dataDir);
  return new FifoHolder({ dataDir, pidFile, silence, makeFifos, kept, isScarce });
};

/** A holder of these FIFOs, each of them read. */
export const holding = (
  dataDir: string,
  fifos: readonly string[],
  ports: Partial<FifoHolderPorts> = {},
): { holder: FifoHolder; kept: OpenFifo[] } => {
  const kept = fifos.map(read);
  const holder = holderOf(dataDir, { kept: () => kept, ...ports });
  onTestFinished(() => {
    letGo(kept);
    holder.close();
  });
  return { holder, kept };
};
