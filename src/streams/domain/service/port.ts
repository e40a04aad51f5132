// The process that holds the port a service was to listen on (ERR0105).
import type { RunId, ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** A process that listens; `service` if it belongs to one of ours. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port that another process listens on, and that process as far as the kernel shows it. */
export interface Taken {
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
