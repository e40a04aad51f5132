// Names in the abstract socket namespace of Linux (unix(7)). They are not files, so nothing can delete them.
// A name becomes free when the process that holds it ends.
import { createServer, type Server } from 'node:net';
import { socketOf, unixSockets } from './proc/net-sockets.ts';
import { errnoOf } from './errno.ts';
import { isWholly, processIds, userIdsOf } from './proc/process-facts.ts';

/**
 * The length of each name, bytes: the maximum that the kernel allows. Shorter names are padded to this
 * length, because some versions of Node add zero bytes to a short name and others do not.
 */
const LENGTH = 107;
const full = (name: string): string => name.padEnd(LENGTH, '.');

/**
 * Binds the name. Resolves with the server, which does not keep the process alive, or with `undefined` if the
 * name is in use. Rejects if the system has no abstract sockets.
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
 * True if any process holds one of the names. The process may belong to another user, because any user may
 * take a name.
 */
export const isNameTaken = (names: readonly string[]): boolean => inodesOf(names).size > 0;

const holds = (pid: number, inodes: ReadonlySet<string>): boolean => {
  try {
    return isWholly(process.getuid?.() ?? 0, userIdsOf(pid)) && socketOf(pid, inodes) !== undefined;
  } catch {
    return false;
  }
};

/** Returns the pid of a process of this user that holds one of the names; `undefined` if none does. */
export const nameHolder = (names: readonly string[]): number | undefined => {
  const inodes = inodesOf(names);
  return inodes.size === 0 ? undefined : processIds().find((pid) => holds(pid, inodes));
};
