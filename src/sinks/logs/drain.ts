// What a service with `sink: none` prints is read only for its last lines. When the supervisor is killed, nobody reads,
// and a full FIFO would block the service for something that nobody keeps. So a shell that waits for nothing but the end
// of the supervisor (the end of its standard input) then reads these FIFOs in its place, until their last writers are
// gone or the next supervisor ends it. It costs a megabyte, once, and nothing while the supervisor lives.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../../os/replace-file.ts';
import { startTicksOf } from '../../os/proc-stat.ts';

/** Opened for both first: opening an end to read would wait for a writer. */
export const DRAINING = `while IFS= read -r fifo; do set -- "$@" "$fifo"; done
for fifo; do (exec 3<>"$fifo" 4<"$fifo" 3>&-; exec cat <&4) & done
wait`;

export interface Drain {
  /** This FIFO is to be read on when the supervisor is gone. */
  watch(fifo: string): void;
  /** Ends the one that a dead supervisor left, before its FIFOs are read again. */
  takeOver(): void;
  /** The supervisor ends in good order: nobody is left to be read. */
  close(): void;
}

export const drain = (pidFile: string): Drain => {
  const fifos = new Set<string>();
  let helper: ChildProcess | undefined;

  const begin = (): ChildProcess => {
    const child = spawn('/bin/sh', ['-c', DRAINING], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
    });
    child.on('error', () => undefined);
    child.on('exit', () => {
      helper = undefined;
    });
    child.stdin.on('error', () => undefined);
    child.unref();
    record(pidFile, child);
    for (const fifo of fifos) child.stdin.write(`${fifo}\n`);
    return child;
  };

  return {
    watch: (fifo) => {
      if (fifos.has(fifo) && helper !== undefined) return;
      fifos.add(fifo);
      if (helper === undefined) helper = begin();
      else helper.stdin?.write(`${fifo}\n`);
    },
    takeOver: () => endRecorded(pidFile),
    close: () => {
      if (helper !== undefined) endRecorded(pidFile);
    },
  };
};

const record = (pidFile: string, { pid }: ChildProcess): void => {
  if (pid === undefined) return;
  const text = `${pid} ${startTicksOf(pid) ?? 0}\n`;
  try {
    replaceFile(pidFile, text, { backup: false, lasting: false });
  } catch {
    // A disk that is full does not keep a service from starting; the next supervisor then shares the FIFOs with it.
  }
};

/** All of its process group, if it is still the one that was recorded. */
const endRecorded = (pidFile: string): void => {
  try {
    const [pid = 0, startTicks] = readFileSync(pidFile, 'utf8').trim().split(' ').map(Number);
    if (pid > 1 && startTicksOf(pid) === startTicks) process.kill(-pid, 'SIGKILL');
    rmSync(pidFile);
  } catch {
    // There is none.
  }
};
