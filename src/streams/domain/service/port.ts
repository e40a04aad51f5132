// The process that holds a port on which a service tried to listen (ERR0105), and the text for it: `port 8080
// is held by shop/web (pid 812, node)`.
import { shownId, type RunId, type ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** The process that listens on a port. `service` is present if this supervisor runs the process. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port that another process listens on; `holder` is present if the kernel shows that process. */
export interface PortConflict {
  readonly port: number;
  readonly holder?: PortHolder;
}

/** A port of this machine at one address. If `address` is absent, the port at any address. */
export interface LocalPlace {
  readonly port: number;
  readonly address?: string;
}

/** The place where a socket that the supervisor opened listens: a port, or a path. */
export type ListenPlace = LocalPlace | { readonly path: string };

/** The run that the port should belong to. */
export interface PortOwner {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly process: ProcessRef;
}

/** A TCP connection within this machine: the addresses of both ends. */
export interface LocalConnection {
  readonly server: Required<LocalPlace>;
  readonly client: Required<LocalPlace>;
}

/**
 * Which process accepted a connection. `run`: a process of the run. `other`: another process. `pending`: no
 * process has accepted it yet. `hidden`: the run's processes may not be examined. `unknown`: the kernel does
 * not list the connection.
 */
export type Acceptor = 'run' | 'other' | 'pending' | 'hidden' | 'unknown';

/** Returns a sentence that names the port and, if the kernel shows it, the process that listens there. */
export const takenText = ({ port, holder }: PortConflict): string =>
  holder === undefined ? `port ${port} is already in use` : `port ${port} is held by ${holderText(holder)}`;

/** Returns a sentence that names the process at the address where the supervisor could not open a socket. */
export const heldText = (place: ListenPlace, holder: PortHolder): string =>
  'path' in place ? `it is held by ${holderText(holder)}` : takenText({ port: place.port, holder });

const holderText = ({ pid, name, service }: PortHolder): string => {
  const program = name === undefined ? '' : service === undefined ? ` (${name})` : `, ${name}`;
  return service === undefined ? `pid ${pid}${program}` : `${shownId(service)} (pid ${pid}${program})`;
};
