// Finds the process at the other end of a unix socket, as the kernel recorded it when the connection was
// made.
import { closeSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Libc } from '../libc/libc.ts';
import { GETSOCKOPT, INT, int, SOL_SOCKET } from './socket-calls.ts';

const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;
/** Size of `struct ucred` (pid, uid, gid), bytes. */
const CREDENTIALS_BYTES = 12;
const NO_SUCH_PROCESS = constants.errno.ESRCH;

interface Credentials {
  readonly pid: number;
  readonly uid: number;
}

/** Returns pid and uid of the process that connected. Throws `Refused`. */
export const credentialsOf = (libc: Libc, descriptor: number): Credentials => {
  const found = Buffer.alloc(CREDENTIALS_BYTES);
  libc.call(GETSOCKOPT, descriptor, SOL_SOCKET, SO_PEERCRED, found, int(CREDENTIALS_BYTES));
  return { pid: found.readInt32LE(0), uid: found.readUInt32LE(4) };
};

/** Returns the pid from the fdinfo of a pidfd; -1 if the process was reaped. */
const pidIn = (pidfd: number): number => {
  const [, pid] = /^Pid:\s+(-?\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${pidfd}`, 'latin1')) ?? [];
  return Number(pid ?? -1);
};

/**
 * Returns the pid of the process that connected. It comes from a pidfd, so it is never the reused pid of
 * another process. Returns -1 if the process is gone, and `undefined` before Linux 6.5.
 */
export const pinnedPeer = (libc: Libc, descriptor: number): number | undefined => {
  const pidfd = int(0);
  const { value, errno } = libc.ask(GETSOCKOPT, descriptor, SOL_SOCKET, SO_PEERPIDFD, pidfd, int(INT));
  if (value === -1) return errno === NO_SUCH_PROCESS ? -1 : undefined;
  try {
    return pidIn(pidfd.readInt32LE(0));
  } finally {
    closeSync(pidfd.readInt32LE(0));
  }
};
