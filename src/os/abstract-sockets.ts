// Sockets in the kernel's abstract namespace: names that no file stands for, so that nobody can remove them. They are
// gone with the process that has them.
import { createServer, type Server } from 'node:net';
import { socketOf } from './proc/descriptors.ts';
import { errnoOf } from './errno.ts';
import { processIds } from './proc/proc.ts';
import { unixSockets } from './proc/unix-sockets.ts';
import { isWholly, userIdsOf } from './proc/user-ids.ts';

/** With the leading zero. Filled up to what the kernel takes, or versions of Node would not mean the same. */
const LENGTH = 107;
const full = (name: string): string => name.padEnd(LENGTH, '.');

/** Takes the name; `undefined` when somebody has it. Rejects where there are no such names. Does not keep the process alive. */
export const takeName = (name: string): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => (errnoOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ path: `\0${full(name)}` }, () => resolve(server));
    server.unref();
  });

const inodesOf = (names: readonly string[]): ReadonlySet<string> => {
  const wanted = new Set(names.map((name) => `@${full(name)}`));
  return new Set(
    unixSockets()
      .filter(({ name }) => wanted.has(name))
      .map(({ inode }) => inode),
  );
};

/** Whether any process, of any user, has one of the names. It proves nothing: any user may take any name. */
export const isNameTaken = (names: readonly string[]): boolean => inodesOf(names).size > 0;

const holds = (pid: number, inodes: ReadonlySet<string>): boolean => {
  try {
    return isWholly(process.getuid?.() ?? 0, userIdsOf(pid)) && socketOf(pid, inodes) !== undefined;
  } catch {
    return false;
  }
};

/** The process of this user that has one of the names: who else may have taken it does not count. */
export const nameHolder = (names: readonly string[]): number | undefined => {
  const inodes = inodesOf(names);
  return inodes.size === 0 ? undefined : processIds().find((pid) => holds(pid, inodes));
};
