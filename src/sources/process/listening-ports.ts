// Finds the ports that processes listen on, from the sockets that each process holds. A process may have its
// own network namespace, so the table of sockets is read at `/proc/<pid>/net`.
import { isGone } from '../../os/errno.ts';
import { boundSockets, networkOf, socketInodes } from '../../os/proc/net-sockets.ts';
import type { ListeningPort } from '../../streams/domain/service/port.ts';

type Tables = ReturnType<typeof boundSockets>;
type Held = readonly [inode: string, port: ListeningPort];

/**
 * Returns a function that returns the ports of a process, each with the inode of its socket. It reads the
 * table of sockets once for each network namespace.
 */
const portReader = (): ((pid: number) => readonly Held[]) => {
  const tables = new Map<string, Tables>();
  const read = (pid: number): readonly Held[] => {
    const inodes = socketInodes(pid);
    if (inodes.size === 0) return [];
    const network = networkOf(pid);
    const table = tables.get(network) ?? boundSockets(pid);
    tables.set(network, table);
    return [...inodes].flatMap((inode) => {
      const bound = table.get(inode);
      return bound === undefined ? [] : [[inode, { ...bound, pid }] as const];
    });
  };
  return (pid) => {
    try {
      return read(pid);
    } catch (error) {
      // A process that has ended has no ports.
      if (isGone(error)) return [];
      throw error;
    }
  };
};

const inOrder = (one: ListeningPort, other: ListeningPort): number =>
  one.port - other.port ||
  one.protocol.localeCompare(other.protocol) ||
  one.address.localeCompare(other.address);

/**
 * Returns a function that returns the ports on which the processes `pids` listen. If several processes hold
 * the same socket, its port is listed once, with the first of these processes. A port of `held` is listed
 * with the supervisor if none of the processes holds its socket. The function returns `undefined` if a
 * process cannot be examined.
 */
export const listeningPorts = (): ((
  pids: readonly number[],
  held: readonly number[],
) => readonly ListeningPort[] | undefined) => {
  const portsOf = portReader();
  return (pids, held) => {
    try {
      const own = held.length === 0 ? [] : portsOf(process.pid).filter(([, { port }]) => held.includes(port));
      // The first entry of an inode is kept: a process of the service comes before the supervisor.
      const byInode = new Map([...pids.flatMap(portsOf), ...own].toReversed());
      return [...byInode.values()].toSorted(inOrder);
    } catch {
      return undefined;
    }
  };
};
