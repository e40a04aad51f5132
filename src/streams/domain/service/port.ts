// The process that holds a port on which a service tried to listen (ERR0105), and its text: `port 8080 is
// held by shop/web (pid 812, node)`.
import { shownId, type RunId, type ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** The process that listens on a port; `service` is present if this supervisor runs it. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port on which another process listens; `holder` is present if the kernel shows it. */
export interface PortConflict {
  readonly port: number;
  readonly holder?: PortHolder;
}

/** A port of this machine, at one address or at any. */
export interface LocalPlace {
  readonly port: number;
  readonly address?: string;
}

/** Where a socket of the supervisor listens: a port, or a path. */
export type ListenPlace = LocalPlace | { readonly path: string };

/** The inodes of all listening TCP sockets of this machine, by port. */
export type ListeningSockets = ReadonlyMap<number, readonly string[]>;

/** The port of a health check by URL or by TCP. */
export interface CheckedPort {
  readonly port: number;
  /** True for a loopback address: a probe cannot pass while nothing listens on this machine. */
  readonly isLoopback: boolean;
}

const HTTP_URL = /^http(s?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?(?:[/?#]|$)/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i;

/** Returns the port of an HTTP URL; `undefined` if it is none. */
export const urlPort = (url: string): CheckedPort | undefined => {
  const [matched, secure = '', host = '', port = ''] = HTTP_URL.exec(url) ?? [];
  if (matched === undefined) return undefined;
  const fallback = secure === '' ? 80 : 443;
  return { port: port === '' ? fallback : Number(port), isLoopback: LOOPBACK.test(host) };
};

/** The address of a check by TCP. */
interface TcpAddress extends CheckedPort {
  /** A name or an address, an IPv6 address without its brackets. */
  readonly host: string;
}

const TCP_ADDRESS = /^(?:(\[[\da-f:.%]+\]|[\w.-]+):)?(\d{1,5})$/i;
const HIGHEST_PORT = 65_535;

/** Returns the parts of `port`, `host:port` or `[address]:port`; `undefined` if the text is none of them. */
export const tcpAddress = (text: string): TcpAddress | undefined => {
  const [, host = 'localhost', digits] = TCP_ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= HIGHEST_PORT)) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port, isLoopback: LOOPBACK.test(host) };
};

/** The run that the port should belong to. */
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

/** What accepted a connection; `pending`: nothing yet, `hidden`: the run may not be examined. */
export type Acceptor = 'run' | 'other' | 'pending' | 'hidden' | 'unknown';

/** Returns a sentence with the port and, if known, the process that listens there. */
export const takenText = ({ port, holder }: PortConflict): string =>
  holder === undefined ? `port ${port} is already in use` : `port ${port} is held by ${holderText(holder)}`;

/** Returns a sentence with the process at an address where the supervisor could not open a socket. */
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
