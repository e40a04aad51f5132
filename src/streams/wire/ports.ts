// The control channel as both of its halves see it: the source hears requests, the sinks answer them. The server that
// implements this decides nothing.
import type { Observable } from 'rxjs';
import type { ClientRequest } from './codec.ts';
import type { RpcMessage } from './protocol.ts';

/** One connection; never reused, not even by the next supervisor. */
export type ClientId = string;

export interface Incoming {
  readonly client: ClientId;
  readonly request: ClientRequest;
}

/** A connection that is handed over, by descriptor. */
export interface OpenClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

/** A server that takes nobody in for the moment: who dials waits. */
interface PausedServer {
  /** Listens to the same socket. */
  readonly listening: number;
  readonly resume: () => Promise<void>;
}

/** What is handed over of a server in one turn. */
interface HandedServer {
  readonly clients: readonly OpenClient[];
  /** Nobody is in the middle of a message, or of being taken in. */
  readonly whole: boolean;
}

/** The uid at the other end of a connection, and whether a service of that uid may ask for children. */
export interface DoorGate {
  /** `undefined` if the kernel does not say. */
  readonly uidOf: (descriptor: number) => number | undefined;
  readonly admits: (uid: number) => boolean;
}

export interface ControlServer {
  readonly pause: (duplicate: (descriptor: number) => number) => PausedServer;
  readonly handed: () => HandedServer;
  /** Listens where another program has in this process; then takes over whom it had, in the turn in which that is called. */
  readonly takeOver: (listening: number) => Promise<(clients: readonly OpenClient[]) => void>;
  /** Valid requests, in the order in which they came. Subscribe before `listen`. */
  readonly incoming$: Observable<Incoming>;
  /** Clients that are gone, whoever ended the connection. */
  readonly left$: Observable<ClientId>;
  /** Takes connections from now on. Rejects when the socket cannot be had. */
  readonly listen: () => Promise<void>;
  /** Takes connections there as well, of the uids that are admitted: they may ask for children and nothing else. Rejects where it cannot be had. */
  readonly openDoor: (path: string, gate: DoorGate) => Promise<void>;
  /** Listens anew where the socket is gone; who is connected stays. */
  readonly mend: () => Promise<void>;
  /** Sends to a client that is still there; cuts off one that does not read. */
  readonly send: (client: ClientId, message: RpcMessage) => void;
  /** The connection of a client that is still there: its descriptor, and how long the machine was up when it was made, s. */
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  /** Whether the client has taken in most of what was sent to it; one that is gone has. */
  readonly keepsUp: (client: ClientId) => boolean;
  /** Ends every connection once what was sent is out, and removes the socket. */
  readonly close: () => Promise<void>;
}
