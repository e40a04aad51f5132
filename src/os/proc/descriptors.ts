// The sockets that a process holds, as `/proc/<pid>/fd` tells.
import { readdirSync, readlinkSync } from 'node:fs';

export type Inodes = ReadonlySet<string>;

const SOCKET = 'socket:[';

/** Does this descriptor, a path under `/proc`, point to one of these sockets? One system call. */
export const isSocketOf = (link: string, inodes: Inodes): boolean => {
  try {
    const target = readlinkSync(link);
    return target.startsWith(SOCKET) && inodes.has(target.slice(SOCKET.length, -1));
  } catch {
    return false;
  }
};

/** The descriptor of a process that is one of these sockets; `undefined`: it has none. Throws when it may not be looked at, or is gone. */
export const socketOf = (pid: number, inodes: Inodes): string | undefined => {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory)
    .map((fd) => `${directory}/${fd}`)
    .find((link) => isSocketOf(link, inodes));
};
