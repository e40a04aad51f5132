// Finds the ports that processes listen on, by the sockets that each of them holds. A process may be in a
// network namespace of its own, so the tables are read at its `/proc/<pid>/net`.
import { isGone } from '../../os/errno.ts';
import { boundSockets, networkOf, socketInodes } from '../../os/proc/net-sockets.ts';
import type { ListeningPort } from '../../streams/domain/service/port.ts';

type Tables = ReturnType<typeof boundSockets>;
type Held = readonly [inode: string, port: ListeningPort];

/**
 * Returns a function that returns the ports of a process, by inode. It reads the tables of each network once.
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
      // The process has ended meanwhile.
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
 * Returns a function that returns the ports on which the processes `pids` listen, each once, with the first
 * process that has it. It adds ports of `held` whose socket only the supervisor has. It returns `undefined`
 * if a process cannot be examined.
 */
export const listeningPorts = (): ((
  pids: readonly number[],
  held: readonly number[],
) => readonly ListeningPort[] | undefined) => {
  const portsOf = portReader();
  return (pids, held) => {
    try {
      const own = held.length === 0 ? [] : portsOf(process.pid).filter(([, { port }]) => held.includes(port));
      // The first entry of an inode is kept, so that a process of the service precedes the supervisor.
      const byInode = new Map([...pids.flatMap(portsOf), ...own].toReversed());
      return [...byInode.values()].toSorted(inOrder);
    } catch {
      return undefined;
    }
  };
};
