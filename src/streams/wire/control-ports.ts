// The interface of the control server, which receives requests and sends answers but decides nothing.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** Identifies a connection; never used twice, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** An open connection. In an upgrade the next program gets its descriptor. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/** Accepts no connections until `resume`; clients that connect meanwhile wait. */
interface PausedServer {
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/** The clients of a server at one moment, for the next program in an upgrade. */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** No connection is being accepted, and no client has sent half a message. */
  readonly whole: boolean;
}

/** Decides which clients may connect to the socket for requests of services. */
export interface ServiceGate {
  /** The supervisor's uid, which all services without `user` share. */
  readonly own: number;
  /** Returns the uid of the client, if the kernel reports it. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
  /** The mode of the socket's file. */
  readonly mode: number;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /** Listens on the previous program's socket. Resolves to a function that takes over its clients. */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /** Emits valid requests in order of arrival. Subscribe before `listen`. */
  readonly incoming$: Observable<Incoming>;
  /** Emits each client that has disconnected, whichever side closed. */
  readonly left$: Observable<ClientId>;
  /** Creates the socket and accepts connections. Rejects if that fails. */
  readonly listen: () => Promise<void>;
  /** Opens the service socket at `path`, for clients that `gate` admits. Rejects on failure. */
  readonly openServiceSocket: (path: string, gate: ServiceGate) => Promise<void>;
  /** Creates the socket file again if it was removed; clients stay connected. */
  readonly mend: () => Promise<void>;
  /** Sends a message. A client that does not read is disconnected. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** Returns the client's descriptor, and the uptime in seconds when it connected. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** False while too much data waits to be read; true for a closed connection. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Closes every connection once its data is sent, and removes the socket file. */
  readonly close: () => Promise<void>;
}
