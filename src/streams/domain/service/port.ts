// Who has the port that a service was meant to have (ERR0105).
import type { RunId, ServiceId } from '../ids.ts';
import type { ProcessRef } from './process.ts';

/** A process that listens; `service` when it is one of ours. */
export interface PortHolder {
  readonly pid: number;
  readonly name?: string;
  readonly service?: ServiceId;
}

/** A port that somebody else listens on; who, as far as the kernel shows it. */
export interface Taken {
  readonly port: number;
  readonly holder?: PortHolder;
}

/** Where on this machine: without an address, wherever that port is listened on. */
export interface LocalPlace {
  readonly port: number;
  readonly address?: string;
}

/** Where a held socket was to listen: a port or a path. */
export type ListenPlace = LocalPlace | { readonly path: string };

/** Whose port it should be. */
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
 * Which process has the server's end of a connection: one of the run, or another one. `pending`: none has accepted it
 * yet. `hidden`: the processes of the run may not be examined. `unknown`: the kernel does not list the connection here.
 */
export type Acceptor = 'run' | 'other' | 'pending' | 'hidden' | 'unknown';
