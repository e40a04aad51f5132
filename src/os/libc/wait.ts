// The ends of children: waitid(2).
import { constants } from 'node:os';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import { cFunction, type Libc } from '../libc.ts';

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
  /** A child that has ended and was not reaped; it stays a zombie. */
  anyEnded(): Ended | undefined;
  /** Reaps this child if it has ended: no other wait sees it afterwards. */
  collect(pid: number): Ended | undefined;
}

/** Two numbers have two names (SIGIOT and SIGPOLL are the others): the first name is the common one. */
const SIGNALS: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** The status of a process that a signal killed. Real-time signals have a number and no name. */
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
  const ask = (whom: number, pid: number, how: number): Ended | undefined => {
    info.fill(0);
    // It fails only if there is no such child, which equals none that has ended.
    return libc.ask(WAITID, whom, pid, info, how | WEXITED | WNOHANG).value === -1
      ? undefined
      : endedIn(info);
  };
  return {
    anyEnded: () => ask(P_ALL, 0, WNOWAIT),
    collect: (pid) => ask(P_PID, pid, 0),
  };
};

/** Makes this process the subreaper: orphaned descendants become its children instead of process 1's. */
export const adoptStrays = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
};
