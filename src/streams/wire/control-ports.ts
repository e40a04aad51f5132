// The interface of the control server. It receives requests and sends answers, but decides nothing.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** Identifies a connection. An id is never used again, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** An open connection. In an upgrade its descriptor is passed to the next program. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/**
 * A server that accepts no connections until `resume` is called. Clients that connect before this call wait.
 */
interface PausedServer {
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/** The clients of a server at one moment. In an upgrade, they are handed over to the next program. */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** True if no client is connecting, and no client has sent only the first part of a message. */
  readonly whole: boolean;
}

/** Decides which clients may connect to the service socket, on which services send requests. */
export interface ServiceGate {
  /** The uid of the supervisor. All services without `user` have this uid too. */
  readonly own: number;
  /** Returns the uid of the client; `undefined` if Linux does not report it. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
  /** The file mode of the socket. */
  readonly mode: number;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /** Listens on the socket of the previous program. Resolves to a function that takes over its clients. */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /**
   * Emits valid requests in the order of their arrival. It must be subscribed to before `listen` is called.
   */
  readonly incoming$: Observable<Incoming>;
  /** Emits the id of each connection that the client or the server has closed. */
  readonly left$: Observable<ClientId>;
  /** Creates the socket and accepts connections. Rejects if the socket cannot be created. */
  readonly listen: () => Promise<void>;
  /** Opens the service socket at `path`, for clients that `gate` admits. Rejects if it cannot be created. */
  readonly openServiceSocket: (path: string, gate: ServiceGate) => Promise<void>;
  /** Creates the socket file again if the file was removed. Clients stay connected. */
  readonly mend: () => Promise<void>;
  /** Sends a message to a client. A client that does not read its messages is disconnected. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** Returns the descriptor of the connection, and the uptime in seconds at which the client connected. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** False while the client has too much unread data. True for a closed connection. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Closes every connection after its data is sent, and removes the socket file. */
  readonly close: () => Promise<void>;
}
