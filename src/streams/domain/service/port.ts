// The process that holds a port on which a service tried to listen (ERR0105), and its text: `port 8080 is
// held by shop/web (pid 812, node)`.
import { shownId, type RunId, type ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** The process that listens on a port. `service`: present if this supervisor runs the process. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port on which another process listens. `holder`: present if that process is known. */
export interface PortConflict {
  readonly port: number;
  readonly holder?: PortHolder;
}

/** A port of this machine. Without `address`: at any address. */
export interface LocalPlace {
  readonly port: number;
  readonly address?: string;
}

/** Where a socket of the supervisor listens: a TCP port or the path of a Unix socket. */
export type ListenPlace = LocalPlace | { readonly path: string };

/** The inodes of all listening TCP sockets of this machine, by port. */
export type ListeningSockets = ReadonlyMap<number, readonly string[]>;

/** The port that a health check by `url` or `tcp` uses. */
export interface CheckedPort {
  readonly port: number;
  /** True for a loopback address: the probe can pass only if a process of this machine listens. */
  readonly isLoopback: boolean;
}

const HTTP_URL = /^http(s?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?(?:[/?#]|$)/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i;

/** Returns the port of an HTTP URL; `undefined` if the text is not such a URL. */
export const urlPort = (url: string): CheckedPort | undefined => {
  const [matched, secure = '', host = '', port = ''] = HTTP_URL.exec(url) ?? [];
  if (matched === undefined) return undefined;
  const fallback = secure === '' ? 80 : 443;
  return { port: port === '' ? fallback : Number(port), isLoopback: LOOPBACK.test(host) };
};

/** The address of a health check by `tcp`. */
interface TcpAddress extends CheckedPort {
  /** A name or an address. An IPv6 address is without its brackets. */
  readonly host: string;
}

const TCP_ADDRESS = /^(?:(\[[\da-f:.%]+\]|[\w.-]+):)?(\d{1,5})$/i;
const HIGHEST_PORT = 65_535;

/** Returns the parts of `port`, `host:port` or `[address]:port`; `undefined` for any other text. */
export const tcpAddress = (text: string): TcpAddress | undefined => {
  const [, host = 'localhost', digits] = TCP_ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= HIGHEST_PORT)) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port, isLoopback: LOOPBACK.test(host) };
};

/** The run to which a listening process should belong. */
export interface PortOwner {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly process: ProcessRef;
}

/** A TCP connection within this machine. */
export interface LocalConnection {
  readonly server: Required<LocalPlace>;
  readonly client: Required<LocalPlace>;
}

/**
 * Which process accepted a connection. `run`: a process of the run. `other`: another process. `pending`: no
 * process has accepted it yet. `hidden`: the supervisor may not examine the processes of the run. `unknown`:
 * the connection was not found.
 */
export type Acceptor = 'run' | 'other' | 'pending' | 'hidden' | 'unknown';

/** Returns a sentence with the port and, if known, the process that listens there. */
export const takenText = ({ port, holder }: PortConflict): string =>
  holder === undefined ? `port ${port} is already in use` : `port ${port} is held by ${holderText(holder)}`;

/** Returns a sentence that names the process at an address where the supervisor could not open a socket. */
export const heldText = (place: ListenPlace, holder: PortHolder): string =>
  'path' in place ? `it is held by ${holderText(holder)}` : takenText({ port: place.port, holder });

const holderText = ({ pid, name, service }: PortHolder): string => {
  const program = name === undefined ? '' : service === undefined ? ` (${name})` : `, ${name}`;
  return service === undefined ? `pid ${pid}${program}` : `${shownId(service)} (pid ${pid}${program})`;
};

/** A TCP port on which a process accepts connections, or a UDP port at which it receives. */
export interface ListeningPort {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  readonly pid: number;
}
