// Detects that processes have ended: children by waitid(2), other processes by a pidfd (pidfd_open(2),
// poll(2)). Since Linux 6.15 a pidfd gives the exit status even of a reaped process.
// Rules: `docs/behaviour.md`, "Children and strays".
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { newBell } from './eventfd.ts';
import { cFunction, type Libc } from './libc.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';

const WAITID = cFunction('int', 'waitid', 'int', 'uint', 'pointer', 'int');
const PRCTL = cFunction('int', 'prctl', 'int', 'ulong', 'ulong', 'ulong', 'ulong');

const P_ALL = 0;
const P_PID = 1;
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x0100_0000;
const SIGINFO_BYTES = 128;
const CODE_AT = 8;
const PID_AT = 16;
const STATUS_AT = 24;
const CLD_EXITED = 1;
const PR_SET_CHILD_SUBREAPER = 36;

export interface Ended {
  readonly pid: number;
  readonly status: ExitStatus;
}

export interface Wait {
  /** Returns a child that has ended, without reaping it; `undefined` if no unreaped child has ended. */
  anyEnded(): Ended | undefined;
  /** Reaps this child if it has ended and returns its status; `undefined` if it has not ended. */
  collect(pid: number): Ended | undefined;
}

/**
 * The signal names by number. If a number has two names, the map contains the common name (SIGABRT, not
 * SIGIOT).
 */
const SIGNALS: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/**
 * Returns the status of a killed process. A real-time signal has no name and is shown as `SIG` and number.
 */
export const killedBy = (signal: number): ExitStatus => ({
  tag: 'signal',
  signal: SIGNALS.get(signal) ?? `SIG${signal}`,
});

const endedIn = (info: Buffer): Ended | undefined => {
  const pid = info.readInt32LE(PID_AT);
  if (pid === 0) return undefined;
  const status = info.readInt32LE(STATUS_AT);
  const exited = info.readInt32LE(CODE_AT) === CLD_EXITED;
  return { pid, status: exited ? { tag: 'code', code: status } : killedBy(status) };
};

export const waitOf = (libc: Libc): Wait => {
  const info = libc.hold(Buffer.alloc(SIGINFO_BYTES));
  const ask = (idType: number, pid: number, how: number): Ended | undefined => {
    info.fill(0);
    // If waitid fails, there is no such child, so no child has ended.
    return libc.ask(WAITID, idType, pid, info, how | WEXITED | WNOHANG).value === -1
      ? undefined
      : endedIn(info);
  };
  return {
    anyEnded: () => ask(P_ALL, 0, WNOWAIT),
    collect: (pid) => ask(P_PID, pid, 0),
  };
};

/** Makes this process a subreaper: orphaned descendants become its children, not children of process 1. */
export const becomeSubreaper = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
};

const SYSCALL = cFunction('long', 'syscall', 'long', 'int', 'uint');
const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');
const POLL = cFunction('int', 'poll', 'pointer', 'ulong', 'int');

const PIDFD_OPEN = 434;
const PIDFD_GET_INFO = 0xc040_ff0b;
const INFO_BYTES = 64;
const INFO_EXIT = 1 << 3;
const EXIT_CODE_AT = 60;
const POLLFD_BYTES = 8;
const REVENTS_AT = 6;
const POLLIN = 1;
const FOREVER = -1;

/** Decodes the kernel's status word: bits 0 to 6 are the signal, bits 8 to 15 the exit code. */
export const statusOfWord = (word: number): ExitStatus => {
  const signal = word & 0x7f;
  return signal === 0 ? { tag: 'code', code: (word >> 8) & 0xff } : killedBy(signal);
};

/** Returns a pidfd of the process, or `undefined` if the process is gone or the kernel refuses. */
export const openProcess = (libc: Libc, pid: number): number | undefined => {
  const { value } = libc.ask(SYSCALL, PIDFD_OPEN, pid, 0);
  return value === -1 ? undefined : value;
};

export const closeProcess = (descriptor: number): void => closeSync(descriptor);

/** Returns the exit status from a pidfd, if the process was reaped and the kernel reports it. */
export const toldStatus = (libc: Libc, descriptor: number): ExitStatus | undefined => {
  const info = Buffer.alloc(INFO_BYTES);
  info.writeUInt32LE(INFO_EXIT, 0);
  if (libc.ask(IOCTL, descriptor, PIDFD_GET_INFO, info).value === -1) return undefined;
  return (info.readUInt32LE(0) & INFO_EXIT) === 0 ? undefined : statusOfWord(info.readInt32LE(EXIT_CODE_AT));
};

/**
 * Waits for pidfds on a pool thread. `wait` resolves with the pidfds of ended processes. It resolves with an
 * empty list if only `ring` has woken the thread.
 */
interface Poll {
  wait(descriptors: readonly number[]): Promise<readonly number[]>;
  ring(): void;
}

export const pollOf = (libc: Libc): Poll => {
  const { descriptor: bell, ring, hush } = newBell(libc);
  return {
    wait: async (descriptors) => {
      const list = pollList([bell, ...descriptors]);
      const found = await libc.askLater(POLL, list, descriptors.length + 1, FOREVER);
      hush();
      // The call failed or was interrupted by a signal, so it found no ended process.
      if (found <= 0) return [];
      return descriptors.filter((_, at) => list.readInt16LE((at + 1) * POLLFD_BYTES + REVENTS_AT) !== 0);
    },
    ring,
  };
};

const pollList = (descriptors: readonly number[]): Buffer => {
  const list = Buffer.alloc(descriptors.length * POLLFD_BYTES);
  descriptors.forEach((descriptor, at) => {
    list.writeInt32LE(descriptor, at * POLLFD_BYTES);
    list.writeInt16LE(POLLIN, at * POLLFD_BYTES + 4);
  });
  return list;
};
