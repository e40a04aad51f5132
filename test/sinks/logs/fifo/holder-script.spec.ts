import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openChildEnd } from '../../../../src/sinks/logs/fifo/fifo-ends.ts';
import { fifoMaker } from '../../../../src/sinks/logs/fifo/make-fifos.ts';
import { HOLDING } from '../../../../src/sinks/logs/fifo/holder-script.ts';
import { temporary, until } from '../harness.ts';

describe('the script of a FIFO holder', () => {
  it('the holder script reads FIFOs without another holder once its supervisor is gone', async () => {
    const directory = temporary();
    const fifo = join(directory, 'web.stdout');
    const unused = join(directory, 'api.stdout');
    await fifoMaker(() => undefined)([fifo, unused]);
    const argv = ['-c', HOLDING, 'sup-keeper', join(directory, 'keeper.fifo'), fifo, unused];
    const helper = spawn('/bin/sh', argv, { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
    onTestFinished(() => void process.kill(-(helper.pid ?? 0), 'SIGKILL'));
    const end = openChildEnd(fifo);
    // Many times more than a pipe holds: it would block for ever without a reader.
    const script =
      'const b = Buffer.alloc(1e6, 10); for (let n = 0; n < b.length; n += 1e4) fs.writeSync(1, b, 0, 1e4)';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', end, 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let ended = false;
    child.on('exit', () => (ended = true));
    expect(ended).toBe(false);
    helper.stdin.end('recorded\n');
    await until(() => ended);
    closeSync(end);
    expect(child.exitCode).toBe(0);
  });

  it('the holder script ends with a supervisor that dies before it has recorded the holder', async () => {
    const helper = spawn('/bin/sh', ['-c', HOLDING, 'sup-keeper'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const ended = new Promise((settle) => helper.on('exit', settle));
    helper.stdin.end();
    expect(await ended).toBe(0);
  });
});
