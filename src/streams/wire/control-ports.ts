// The interface of the control server. The source receives requests from it, and the sinks answer through it.
// The server itself makes no decisions.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** Identifies one connection; never reused, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** An open connection whose descriptor is handed over in an upgrade. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/** A server that accepts no connections until `resume` is called; new clients wait. */
interface PausedServer {
  /** The descriptor of the listening socket. */
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/** The connections that a server hands over, as read in one turn of the event loop. */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** True if no client is being accepted or has sent only a part of a message. */
  readonly whole: boolean;
}

/** Decides which connections the spawn socket accepts. */
export interface DoorGate {
  /** Returns the uid of the client; `undefined` if the kernel does not report it. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /**
   * Listens on the socket that the previous program left open. Resolves to a function that takes over its
   * clients in the turn in which it is called.
   */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /** Emits valid requests in order of arrival. Subscribe before `listen`. */
  readonly incoming$: Observable<Incoming>;
  /** Emits each client that has disconnected, whichever side closed the connection. */
  readonly left$: Observable<ClientId>;
  /** Creates the socket and accepts connections. Rejects if the socket cannot be created. */
  readonly listen: () => Promise<void>;
  /**
   * Opens the spawn socket at `path`: accepts connections of admitted uids, which may only request children.
   * Rejects if the socket cannot be created.
   */
  readonly openDoor: (path: string, gate: DoorGate) => Promise<void>;
  /** Creates the socket again if its file was removed; connected clients stay connected. */
  readonly mend: () => Promise<void>;
  /** Sends a message to a connected client; disconnects a client that does not read. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** Returns the descriptor of a connected client, and the machine's uptime in seconds when it connected. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** False while the client's send buffer is over the limit; true for a closed connection. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Closes every connection once its data is sent, and removes the socket file. */
  readonly close: () => Promise<void>;
}
