// The control server: JSON-RPC over WebSocket over a unix socket that only its owner may open. It only passes
// messages on.
//
// Rules: `docs/behaviour.md`, "Control channel"; `docs/behaviour.md`, "Trust".
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { uptime } from 'node:os';
import { dirname } from 'node:path';
import { filter, map, Observable } from 'rxjs';
import { WebSocketServer } from 'ws';
import { makeDirectoryAsync } from '../../os/files/directories.ts';
import { closeDescriptor, descriptorOfHandle } from '../../os/own-descriptors.ts';
import { gateBefore, type Judge } from './admission-gate.ts';
import { type Connection, connections, type Connections, reopened } from './client-connections.ts';
import { openServiceSocket, type ServiceSocket, turnAway } from './service-socket.ts';
import type { Event } from '../../streams/domain/event.ts';
import { requestId } from '../../streams/domain/ids.ts';
import type { ClientRequest } from '../../streams/wire/codec.ts';
import { helloOf } from '../../streams/wire/messages.ts';
import type { ClientId, ControlServer, Incoming, OpenClient } from '../../streams/wire/control-ports.ts';
import { type Hello, MAX_FRAME } from '../../streams/wire/protocol.ts';

/**
 * Maximum number of clients. Further clients are disconnected, so that they cannot use up all descriptors.
 */
const MOST_CLIENTS = 1024;
/**
 * How many connections above `MOST_CLIENTS` are closed with a WebSocket close code. Any further connections
 * are closed without an answer.
 */
const MOST_TURNED_AWAY = 64;
/** Maximum time for clients to read their last answers when the server closes, ms. */
const FAREWELL_MS = 500;

interface ServerPorts {
  /**
   * The path to listen at. A file that exists there is a leftover, because only this process holds the lock
   * of the data directory.
   */
  readonly socketPath: string;
  readonly hello: Hello;
  readonly most?: number;
  /** Decides which connections are admitted. Absent: all are. */
  readonly judge?: Judge;
}

const admitAll: Judge = () => ({ tag: 'whole' });

export const controlServer = (ports: ServerPorts): ControlServer => {
  const { socketPath, hello, most = MOST_CLIENTS, judge = admitAll } = ports;
  const requests = emitter<Incoming>();
  const departures = emitter<ClientId>();
  const clients = connections(`${randomBytes(4).toString('hex')}-`, {
    request: requests.emit,
    left: departures.emit,
  });
  const http = webServer(most + MOST_TURNED_AWAY);
  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_FRAME, perMessageDeflate: false });
  const begun = admitting({ http, sockets, judge }, (connection) => {
    if (clients.count() >= most) turnAway(connection.socket, connection.line);
    else clients.admit(connection, helloOf(hello));
  });
  let ofServices: ServiceSocket | undefined;
  // This listener ignores errors: an error of `listen` also rejects `listen`, and a later error, such as no
  // free descriptor, affects one client only.
  sockets.on('error', () => undefined);
  return {
    ...handing({ http, sockets, clients, socketPath, hello, begun, judge }),
    incoming$: requests.value$,
    left$: departures.value$,
    listen: () => listenAt(http, socketPath),
    openServiceSocket: async (path, gate) => {
      ofServices = await openServiceSocket(path, {
        gate,
        admit: (socket, line) =>
          clients.admit({ socket, line, upSince: uptime(), narrow: true }, helloOf(bareHello(hello))),
      });
    },
    mend: () => mend(http, socketPath).then(() => ofServices?.mend()),
    send: clients.send,
    connectionOf: clients.connectionOf,
    keepsUp: clients.keepsUp,
    close: async () => {
      await ofServices?.close();
      await closeDown({ http, sockets, clients, socketPath });
    },
  };
};

/**
 * Returns a greeting that contains only the protocol, because a service of another user must not know more.
 */
const bareHello = ({ protocol }: Hello): Hello => ({ protocol, version: '', pid: 0, since: '' });

const webServer = (most: number): Server => {
  const http = createServer((_request, response) => {
    response.writeHead(426, { connection: 'close' }).end('this socket speaks WebSocket\n');
  });
  http.maxConnections = most;
  return http;
};

/** The property of a connection that may only report events and request children. */
const NARROW = { narrow: true } as const;

/**
 * Calls `admit` with each new WebSocket. Returns the connections that have not completed the WebSocket
 * handshake.
 */
const admitting = (
  { http, sockets, judge }: Pick<Open, 'http' | 'sockets'> & { readonly judge: Judge },
  admit: (connection: Connection) => void,
): ReadonlySet<Socket> => {
  const begun = new Set<Socket>();
  const gate = gateBefore(http, judge, (line) => {
    begun.add(line);
    line.once('close', () => begun.delete(line));
  });
  sockets.on('connection', (socket, { socket: line }) => {
    begun.delete(line);
    admit({ socket, line, upSince: uptime(), ...(gate.isNarrow(line) && NARROW) });
  });
  return begun;
};

/** Creates a set of listeners: `emit` sends a value to all of them. A new listener gets no earlier values. */
const emitter = <T>(): { readonly emit: (value: T) => void; readonly value$: Observable<T> } => {
  const listeners = new Set<(value: T) => void>();
  return {
    // Iterates over a copy: a listener that is added meanwhile receives only the next value.
    emit: (value) => [...listeners].forEach((listener) => listener(value)),
    value$: new Observable((subscriber) => {
      const listener = (value: T): void => subscriber.next(value);
      listeners.add(listener);
      return () => listeners.delete(listener);
    }),
  };
};

const listenAt = async (http: Server, socketPath: string): Promise<void> => {
  await rm(socketPath, { force: true });
  // The socket is renamed after it listens, because a closing server removes the path at which it began to
  // listen.
  const temporary = `${dirname(socketPath)}/c.${process.pid}`;
  await rm(temporary, { force: true });
  http.listen(temporary);
  await once(http, 'listening');
  await chmod(temporary, 0o600);
  await rename(temporary, socketPath);
};

/** If the path of the socket was removed, listens there again. Existing connections stay open. */
const mend = async (http: Server, socketPath: string): Promise<void> => {
  if (!http.listening || existsSync(socketPath)) return;
  await makeDirectoryAsync(dirname(socketPath), 0o700);
  http.close();
  await listenAt(http, socketPath);
};

interface Handing extends Open {
  readonly hello: Hello;
  /** Connections that passed the check but have not completed the WebSocket handshake. */
  readonly begun: ReadonlySet<Socket>;
  readonly judge: Judge;
}

/**
 * Returns the functions that hand the listening socket and the clients over to the new program of an upgrade.
 * Meanwhile the kernel queues new connections in the listening socket.
 */
const handing = (own: Handing): Pick<ControlServer, 'pause' | 'handed' | 'takeOver'> => ({
  pause: (duplicate) => {
    const descriptor = descriptorOfHandle(own.http);
    if (descriptor === undefined) throw new Error('the control socket is not open');
    const listening = duplicate(descriptor);
    // `close` of an HTTP server would also close connections that have just been made.
    NetServer.prototype.close.call(own.http);
    own.clients.hush(true);
    const resume = async (): Promise<void> => {
      own.clients.hush(false);
      own.http.listen({ fd: listening });
      await once(own.http, 'listening');
    };
    return { listening, resume };
  },
  handed: () => {
    const clients = own.clients.handable();
    const whole = own.begun.size === 0 && clients.length === own.clients.count();
    return { clients, whole };
  },
  takeOver: async (listening) => {
    own.http.listen({ fd: listening });
    await once(own.http, 'listening');
    await mend(own.http, own.socketPath);
    return (given) => {
      given.forEach((client) => admitHanded(own, client));
    };
  },
});

/**
 * Admits a client of the previous program if it passes the check again, because this program may be stricter.
 */
const admitHanded = ({ clients, hello, judge }: Handing, { id, descriptor }: OpenClient): void => {
  const admission = judge(descriptor);
  if (admission instanceof Promise || admission.tag === 'refused') return closeDescriptor(descriptor);
  const narrow = admission.tag === 'narrow' ? NARROW : {};
  // The connection is older, but this program does not know when it was made.
  clients.admit({ ...reopened(descriptor, MAX_FRAME), upSince: uptime(), ...narrow }, helloOf(hello), id);
};

interface Open {
  readonly http: Server;
  readonly sockets: WebSocketServer;
  readonly clients: Connections;
  readonly socketPath: string;
}

const closeDown = async ({ http, sockets, clients, socketPath }: Open): Promise<void> => {
  if (!http.listening) return;
  const closed = once(http, 'close');
  clients.closeAll();
  sockets.close();
  http.close();
  const farewell = setTimeout(() => {
    clients.terminateAll();
    http.closeAllConnections();
  }, FAREWELL_MS);
  await closed;
  clearTimeout(farewell);
  await rm(socketPath, { force: true });
};

type CommandRequest = Extract<ClientRequest, { method: 'command' }>;
type IncomingCommand = Incoming & { readonly request: CommandRequest };

const isCommand = (incoming: Incoming): incoming is IncomingCommand => incoming.request.method === 'command';

/** Emits `requested` for each incoming `command`. */
export function commandRequests(server: ControlServer): Observable<Event> {
  return server.incoming$.pipe(
    filter(isCommand),
    map(({ client, request }) => ({
      type: 'requested',
      request: requestId(`${client}:${request.id}`),
      command: request.params,
      ...(request.origin !== undefined && { origin: request.origin }),
    })),
  );
}
