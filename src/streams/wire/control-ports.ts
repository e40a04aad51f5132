// The control channel as both of its halves see it: the source receives requests, the sinks answer them. The
// server that implements it makes no decisions.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** Identifies one connection; never reused, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** A connection that is handed over by descriptor. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/** A server that accepts no connection for the moment: new clients wait. */
interface PausedServer {
  /** The descriptor of the listening socket. */
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/** The part of a server that is handed over, read in one turn. */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** True if no client is in the middle of a message or of being accepted. */
  readonly whole: boolean;
}

/** Returns the uid of a connection, and tells if a service of that uid may request children. */
export interface DoorGate {
  /** `undefined` if the kernel does not report it. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /**
   * Listens on the socket of the previous program in this process. The returned function takes over its
   * clients in the turn in which it is called.
   */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /** Valid requests in order of arrival. Subscribe before `listen`. */
  readonly incoming$: Observable<Incoming>;
  /** Clients that have disconnected, closed by either side. */
  readonly left$: Observable<ClientId>;
  /** Starts to accept connections. Rejects if the socket cannot be created. */
  readonly listen: () => Promise<void>;
  /**
   * Also accepts connections of admitted uids at `path`; those may only request children. Rejects if it
   * cannot be created.
   */
  readonly openDoor: (path: string, gate: DoorGate) => Promise<void>;
  /** Listens again if the socket file was removed; connected clients stay. */
  readonly mend: () => Promise<void>;
  /** Sends to a connected client; disconnects one that does not read. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** The descriptor of a connected client, and the machine's uptime when it connected, s. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** False while the client's send buffer is over the limit; true for a closed connection. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Ends every connection once its data is sent, and removes the socket. */
  readonly close: () => Promise<void>;
}
