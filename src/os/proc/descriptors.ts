// The sockets that a process holds, from `/proc/<pid>/fd`.
import { readdirSync, readlinkSync } from 'node:fs';

export type Inodes = ReadonlySet<string>;

const SOCKET = 'socket:[';

/** True if this descriptor, a path under `/proc`, is one of these sockets. One system call. */
export const isSocketOf = (link: string, inodes: Inodes): boolean => {
  try {
    const target = readlinkSync(link);
    return target.startsWith(SOCKET) && inodes.has(target.slice(SOCKET.length, -1));
  } catch {
    return false;
  }
};

/**
 * The path of a process's descriptor that is one of these sockets; `undefined` if it has none. Throws if the
 * process is gone or may not be read.
 */
export const socketOf = (pid: number, inodes: Inodes): string | undefined => {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory)
    .map((fd) => `${directory}/${fd}`)
    .find((link) => isSocketOf(link, inodes));
};
