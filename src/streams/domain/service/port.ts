// The process that holds the port a service was to listen on (ERR0105), and its words: `port 8080 is held by
// shop/web (pid 812, node)`.
import { shownId, type RunId, type ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** A process that listens; `service` if it belongs to one of ours. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port that another process listens on, and that process as far as the kernel shows it. */
export interface PortConflict {
  readonly port: number;
  readonly holder?: PortHolder;
}

/** A port of this machine; without an address, on any address. */
export interface LocalPlace {
  readonly port: number;
  readonly address?: string;
}

/** Where a held socket listens: a port or a path. */
export type ListenPlace = LocalPlace | { readonly path: string };

/** The run that the port should belong to. */
export interface PortOwner {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly process: ProcessRef;
}

/** A connection to an address of this machine, as its client sees it. */
export interface LocalConnection {
  readonly server: Required<LocalPlace>;
  readonly client: Required<LocalPlace>;
}

/**
 * Which process has the server's end of a connection: `run`, or `other` if outside the run. `pending`: none
 * has accepted it yet. `hidden`: the run's processes may not be examined. `unknown`: the kernel does not list
 * the connection here.
 */
export type Acceptor = 'run' | 'other' | 'pending' | 'hidden' | 'unknown';

/** The holder of a port, if the kernel shows it. */
export const takenText = ({ port, holder }: PortConflict): string =>
  holder === undefined ? `port ${port} is already in use` : `port ${port} is held by ${holderText(holder)}`;

/** The same for the address of a held socket. */
export const heldText = (place: ListenPlace, holder: PortHolder): string =>
  'path' in place ? `it is held by ${holderText(holder)}` : takenText({ port: place.port, holder });

const holderText = ({ pid, name, service }: PortHolder): string => {
  const program = name === undefined ? '' : service === undefined ? ` (${name})` : `, ${name}`;
  return service === undefined ? `pid ${pid}${program}` : `${shownId(service)} (pid ${pid}${program})`;
};
