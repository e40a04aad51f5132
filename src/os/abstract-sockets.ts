// Sockets in the kernel's abstract namespace (unix(7)). Such a name is not a file, so it cannot be deleted.
// It becomes free when the process that holds it ends.
import { createServer, type Server } from 'node:net';
import { socketOf, unixSockets } from './proc/net-sockets.ts';
import { errnoOf } from './errno.ts';
import { isWholly, processIds, userIdsOf } from './proc/process-facts.ts';

/**
 * Length of a name in bytes, without the leading zero byte. Shorter names are padded to this maximum of the
 * kernel, because versions of Node treat them differently.
 */
const LENGTH = 107;
const full = (name: string): string => name.padEnd(LENGTH, '.');

/**
 * Binds the name and resolves with the server, or with `undefined` if the name is in use. Rejects if the
 * system has no abstract sockets. The server does not keep the process alive.
 */
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

/**
 * True if a process of any user holds one of the names. This proves nothing about the holder: any user may
 * take any name.
 */
export const isNameTaken = (names: readonly string[]): boolean => inodesOf(names).size > 0;

const holds = (pid: number, inodes: ReadonlySet<string>): boolean => {
  try {
    return isWholly(process.getuid?.() ?? 0, userIdsOf(pid)) && socketOf(pid, inodes) !== undefined;
  } catch {
    return false;
  }
};

/**
 * Returns the pid of a process of this user that holds one of the names; `undefined` if there is none.
 * Holders of other users do not count.
 */
export const nameHolder = (names: readonly string[]): number | undefined => {
  const inodes = inodesOf(names);
  return inodes.size === 0 ? undefined : processIds().find((pid) => holds(pid, inodes));
};
