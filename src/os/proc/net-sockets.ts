// Finds sockets by their inode: the listening TCP sockets of a port (`/proc/net/tcp`, `tcp6`), the unix
// sockets with a name (`/proc/net/unix`), and the sockets that a process holds (`/proc/<pid>/fd`).
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { isGone, isMissing } from '../errno.ts';

export type Inodes = ReadonlySet<string>;

const SOCKET = 'socket:[';

/**
 * True if the descriptor at `link`, a path below `/proc`, is one of the sockets in `inodes`. Makes one system
 * call.
 */
export const isSocketOf = (link: string, inodes: Inodes): boolean => {
  try {
    const target = readlinkSync(link);
    return target.startsWith(SOCKET) && inodes.has(target.slice(SOCKET.length, -1));
  } catch {
    return false;
  }
};

/**
 * Returns the path, in `/proc`, of a descriptor of the process that is one of the sockets in `inodes`;
 * `undefined` if the process has none of them. Throws if the process is gone or may not be read.
 */
export const socketOf = (pid: number, inodes: Inodes): string | undefined => {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory)
    .map((fd) => `${directory}/${fd}`)
    .find((link) => isSocketOf(link, inodes));
};

export interface Listener {
  /** The address as text; `0.0.0.0` and `::` mean every address. */
  readonly address: string;
  /** Inode of the socket: each process that holds the socket has a descriptor with this inode. */
  readonly inode: string;
}

/** Returns the current text of the kernel's TCP tables; empty if they cannot be read. */
export const listenTable = (): string => TABLES.map(tableOf).join('\n');

const TABLES = ['tcp', 'tcp6'];

const tableOf = (name: string): string => {
  try {
    return readFileSync(`/proc/net/${name}`, 'latin1');
  } catch {
    return '';
  }
};

/** Returns the listening sockets of one port (state `0A`) in the table. */
export const listenersOn = (table: string, port: number): readonly Listener[] => {
  const hex = hexPort(port);
  const line = new RegExp(`^ *\\d+: ([0-9A-F]+):${hex} \\S+ 0A \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+)`, 'gm');
  return [...table.matchAll(line)].flatMap(([, address, inode]) =>
    address === undefined || inode === undefined ? [] : [{ address: addressOf(address), inode }],
  );
};

/**
 * Returns the inodes of all listening TCP sockets, by port; `undefined` if the tables cannot be read. The
 * time does not depend on the number of connections.
 */
export const listeningSockets = (): ReadonlyMap<number, readonly string[]> | undefined => {
  try {
    return socketsByPort(TABLES.map((name) => listeningRows(name)).join('\n'));
  } catch {
    return undefined;
  }
};

/** Matches a row of a TCP table, if the socket in this row does not listen. */
const CONNECTED = /^ *\d+: \S+ \S+ (?!0A)[0-9A-F]{2} /m;
const CHUNK_BYTES = 16_384;

/**
 * Reads a TCP table only as far as its listening sockets, which the kernel lists first. Returns the text
 * read.
 */
const listeningRows = (name: string, place = '/proc/net'): string => {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openSync(`${place}/${name}`, 'r');
  let rows = '';
  try {
    for (let length = -1; length !== 0 && !CONNECTED.test(rows); rows += chunk.toString('latin1', 0, length))
      length = readSync(file, chunk);
  } finally {
    closeSync(file);
  }
  return rows;
};

const socketsByPort = (table: string): ReadonlyMap<number, readonly string[]> => {
  const sockets = new Map<number, string[]>();
  for (const [, port = '', inode = ''] of table.matchAll(LISTENING)) {
    const inodes = sockets.get(parseInt(port, 16));
    if (inodes === undefined) sockets.set(parseInt(port, 16), [inode]);
    else inodes.push(inode);
  }
  return sockets;
};

const LISTENING = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ 0A \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm;

interface BoundSocket {
  readonly protocol: 'tcp' | 'udp';
  /** The address as text; `0.0.0.0` and `::` mean every address. */
  readonly address: string;
  readonly port: number;
}

/** The states, in the tables, of a TCP socket that listens, and of a UDP socket without a peer. */
const BOUND = { tcp: '0A', udp: '07' } as const;

const rowsOf = (pid: number, name: string): string => {
  const place = `/proc/${pid}/net`;
  try {
    return name.startsWith('tcp') ? listeningRows(name, place) : readFileSync(`${place}/${name}`, 'latin1');
  } catch (error) {
    // A kernel without IPv6 has no tables for IPv6.
    if (name.endsWith('6') && isMissing(error)) return '';
    throw error;
  }
};

/**
 * Returns the TCP sockets that listen and the UDP sockets without a peer, by inode, in the network namespace
 * of the process. Throws if the tables cannot be read.
 */
export const boundSockets = (pid: number): ReadonlyMap<string, BoundSocket> => {
  const found = new Map<string, BoundSocket>();
  for (const protocol of ['tcp', 'udp'] as const) {
    const row = new RegExp(
      `^ *\\d+: ([0-9A-F]+):([0-9A-F]{4}) \\S+ ${BOUND[protocol]} \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+)`,
      'gm',
    );
    for (const name of [protocol, `${protocol}6`])
      for (const [, address = '', port = '', inode = ''] of rowsOf(pid, name).matchAll(row))
        found.set(inode, { protocol, address: addressOf(address), port: parseInt(port, 16) });
  }
  return found;
};

/** Returns the inodes of the sockets of a process; none if the process has ended. Throws if unreadable. */
export const socketInodes = (pid: number): Inodes => {
  const inodes = new Set<string>();
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      const target = linkAt(`/proc/${pid}/fd/${fd}`);
      if (target.startsWith(SOCKET)) inodes.add(target.slice(SOCKET.length, -1));
    }
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return inodes;
};

/** Returns the target of a link in `/proc`; empty if the link is gone or has no target. */
export const linkAt = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
};

/** Returns the name of the network namespace of a process. Throws if it may not be read. */
export const networkOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/net`);

/** Size of the buffer for `/proc/net/sockstat`: longer than its text. */
const COUNTS_BYTES = 1_024;

/**
 * Returns a function that reads how many TCP sockets are in use. It returns a text, which changes when a
 * number changes, or `undefined` if the files are unreadable. This takes a fiftieth of the time to read the
 * tables. The files stay open for many reads.
 */
export const tcpCountReader = (): (() => string | undefined) => {
  const text = Buffer.alloc(COUNTS_BYTES);
  const files = new Map<string, number>();
  const countIn = (name: string): string | undefined => {
    const file = files.get(name) ?? openSync(`/proc/net/${name}`, 'r');
    files.set(name, file);
    const length = readSync(file, text, 0, COUNTS_BYTES, 0);
    return /^TCP6?: inuse \d+/m.exec(text.toString('latin1', 0, length))?.[0];
  };
  return () => {
    try {
      return ['sockstat', 'sockstat6'].map(countIn).join();
    } catch {
      return undefined;
    }
  };
};

/**
 * The addresses of a TCP connection. `local` is the address of the socket that is looked up, and `remote` the
 * address of its peer.
 */
interface Ends {
  readonly local: { readonly address: string; readonly port: number };
  readonly remote: { readonly address: string; readonly port: number };
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * Returns the inode of the local socket of a connection; `undefined` if the table does not list the
 * connection. The inode is `0` before the connection is accepted and after it is closed.
 */
export const inodeOfEnd = (table: string, { local, remote }: Ends): string | undefined => {
  const [here, there] = [hexPort(local.port), hexPort(remote.port)];
  const line = new RegExp(
    `^ *\\d+: ([0-9A-F]+):${here} ([0-9A-F]+):${there} \\S+ \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+)`,
    'gm',
  );
  const ends = [...table.matchAll(line)];
  return ends.find(
    ([, own = '', other = '']) =>
      addressOf(own) === plainAddress(local.address) && addressOf(other) === plainAddress(remote.address),
  )?.[3];
};

/** Converts an address to text. The kernel prints it as 32-bit words in the byte order of the machine. */
const addressOf = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex');
  return plainAddress(bytes.length === 4 ? [...bytes.swap32()].join('.') : sixOf(bytes.swap32()));
};

const sixOf = (bytes: Buffer): string => {
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16));
  // The URL parser shortens IPv6 addresses in the standard way.
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
};

const MAPPED = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/;

/** Returns the address. An IPv4 address that is mapped into IPv6 becomes plain IPv4. */
export const plainAddress = (address: string): string => {
  const [, high, low] = MAPPED.exec(address) ?? [];
  if (high === undefined || low === undefined) return address.replace(/^::ffff:(?=\d+\.)/, '');
  const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

interface UnixSocket {
  /** A path, or `@` and a name in the abstract namespace. Empty for a socket without a name. */
  readonly name: string;
  /** Inode of the socket: each process that holds the socket has a descriptor with this inode. */
  readonly inode: string;
  /** False for an accepted connection, which has the same name as its listener. */
  readonly isListening: boolean;
}

/** Positions in a line `<address>: <references> <protocol> <flags> <type> <state> <inode> <name>`. */
const [FLAGS, INODE, NAME] = [3, 6, 7];
/** The flag of a listening socket (`SO_ACCEPTCON`). */
const ACCEPTS = 0x10000;

/** Returns all unix sockets; none if the table cannot be read. Several spaces in a name become one space. */
export const unixSockets = (): readonly UnixSocket[] =>
  table().map((line) => {
    const fields = line.split(/ +/);
    return {
      name: fields.slice(NAME).join(' '),
      inode: fields[INODE] ?? '',
      isListening: (Number.parseInt(fields[FLAGS] ?? '', 16) & ACCEPTS) !== 0,
    };
  });

/**
 * Returns the inodes of the listening sockets at a path. If there are none, returns the inodes of all sockets
 * at that path.
 */
export const inodesAtPath = (path: string): ReadonlySet<string> => {
  const found = unixSockets().filter(({ name }) => name === path);
  const listening = found.filter(({ isListening }) => isListening);
  return new Set((listening.length > 0 ? listening : found).map(({ inode }) => inode));
};

const table = (): readonly string[] => {
  try {
    return readFileSync('/proc/net/unix', 'utf8').split('\n');
  } catch {
    return [];
  }
};
