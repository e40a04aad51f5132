// Sockets in the kernel's abstract namespace (unix(7)). No file stands for such a name, so nothing can remove
// it. The name is free again when the process that holds it ends.
import { createServer, type Server } from 'node:net';
import { socketOf, unixSockets } from './proc/net-sockets.ts';
import { errnoOf } from './errno.ts';
import { isWholly, processIds, userIdsOf } from './proc/process-facts.ts';

/**
 * Length without the leading zero. Names are padded to the kernel's maximum, since versions of Node differ in
 * how they treat shorter ones.
 */
const LENGTH = 107;
const full = (name: string): string => name.padEnd(LENGTH, '.');

/**
 * Binds the name. `undefined`: it is in use. Rejects if the system has no such names. Does not keep the
 * process alive.
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

/** True if a process of any user holds one of the names. It proves nothing: any user may take any name. */
export const isNameTaken = (names: readonly string[]): boolean => inodesOf(names).size > 0;

const holds = (pid: number, inodes: ReadonlySet<string>): boolean => {
  try {
    return isWholly(process.getuid?.() ?? 0, userIdsOf(pid)) && socketOf(pid, inodes) !== undefined;
  } catch {
    return false;
  }
};

/** The process of this user that holds one of the names. Holders of other users do not count. */
export const nameHolder = (names: readonly string[]): number | undefined => {
  const inodes = inodesOf(names);
  return inodes.size === 0 ? undefined : processIds().find((pid) => holds(pid, inodes));
};
