import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTicksOf } from '../../../src/os/proc-stat.ts';
import { drain, DRAINING } from '../../../src/sinks/logs/drain.ts';
import { openChildEnd } from '../../../src/sinks/logs/fifo/fifo-ends.ts';
import { fifoMaker } from '../../../src/sinks/logs/fifo/fifos.ts';
import { temporary, until } from './harness.ts';

const recorded = (pidFile: string): number => Number(readFileSync(pidFile, 'utf8').split(' ')[0]);
const sleeper = (): number => {
  const { pid = 0 } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => {
    if (startTicksOf(pid) !== undefined) process.kill(pid, 'SIGKILL');
  });
  return pid;
};

describe('a drain', () => {
  it('reads as soon as its supervisor is gone, and until the last writer is', async () => {
    const directory = temporary();
    const [fifo, unused] = [join(directory, 'web.stdout'), join(directory, 'api.stdout')];
    await fifoMaker(() => undefined)([fifo, unused]);
    const helper = spawn('/bin/sh', ['-c', DRAINING], { stdio: ['pipe', 'ignore', 'inherit'] });
    helper.stdin.write(`${fifo}\n${unused}\n`);
    const end = openChildEnd(fifo);
    // More than a pipe holds, many times over: it would block for ever if nobody read.
    const script =
      'const b = Buffer.alloc(1e6, 10); for (let n = 0; n < b.length; n += 1e4) fs.writeSync(1, b, 0, 1e4)';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', end, 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let ended = false;
    child.on('exit', () => (ended = true));
    expect(ended).toBe(false);
    helper.stdin.end();
    await until(() => ended);
    expect(child.exitCode).toBe(0);
    // The test holds an end itself; the supervisor's own is closed by its death.
    closeSync(end);
    await until(() => helper.exitCode === 0);
  });

  it('is over with a supervisor that ends in good order', async () => {
    const directory = temporary();
    const pidFile = join(directory, 'drain.pid');
    const own = drain(pidFile);
    own.watch(join(directory, 'nothing'));
    const pid = recorded(pidFile);
    expect(startTicksOf(pid)).toBeDefined();
    own.close();
    await until(() => startTicksOf(pid) === undefined);
    expect(existsSync(pidFile)).toBe(false);
  });

  it('of a dead supervisor is ended by the next one, and nobody else who has the pid by now', async () => {
    const pidFile = join(temporary(), 'drain.pid');
    const [old, stranger] = [sleeper(), sleeper()];
    writeFileSync(pidFile, `${stranger} 1\n`);
    drain(pidFile).takeOver();
    writeFileSync(pidFile, `${old} ${startTicksOf(old) ?? 0}\n`);
    drain(pidFile).takeOver();
    await until(() => startTicksOf(old) === undefined);
    expect(startTicksOf(stranger)).toBeDefined();
  });
});
