// The interface of the control server: other code gets requests of clients from it and sends answers with it.
// The server itself makes no decisions.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** Identifies one connection of a client; never used twice, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** An open connection of a client: the next program gets its descriptor in an upgrade. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/** A server that accepts no connections until `resume` is called; clients that connect meanwhile wait. */
interface PausedServer {
  /** The descriptor of the listening socket. */
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/**
 * The clients that a server hands over to the next program in an upgrade, as they were in one turn of the
 * event loop.
 */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** True if no connection is being accepted and no client has sent only a part of a message. */
  readonly whole: boolean;
}

/** Decides which clients may connect to the spawn socket, the socket for requests of services. */
export interface DoorGate {
  /** Returns the uid of the client with this descriptor; `undefined` if the kernel does not report it. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /**
   * Listens on the socket that the previous program left open. Resolves to a function that takes over the
   * clients of that program in the turn of the event loop in which it is called.
   */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /** Emits valid requests in order of arrival. Subscribe before `listen`. */
  readonly incoming$: Observable<Incoming>;
  /** Emits each client that has disconnected, whichever side closed the connection. */
  readonly left$: Observable<ClientId>;
  /** Creates the socket and accepts connections. Rejects if the socket cannot be created. */
  readonly listen: () => Promise<void>;
  /**
   * Opens the spawn socket at `path`. Only clients that `gate` admits can connect, and they may only request
   * children. Rejects if the socket cannot be created.
   */
  readonly openDoor: (path: string, gate: DoorGate) => Promise<void>;
  /** Creates the socket file again if it was removed; connected clients stay connected. */
  readonly mend: () => Promise<void>;
  /** Sends a message to a connected client. A client that does not read its messages is disconnected. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** Returns the descriptor of a connected client, and the machine's uptime in seconds when it connected. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** False while too much data waits for the client to read it; true for a closed connection. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Closes every connection once its data is sent, and removes the socket file. */
  readonly close: () => Promise<void>;
}
