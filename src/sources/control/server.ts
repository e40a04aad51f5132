// The control server: JSON-RPC over WebSocket over a unix socket that only its owner may open. It carries messages and
// decides nothing: what they mean is the business of `commands.ts` and of the sinks beside it.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { uptime } from 'node:os';
import { dirname } from 'node:path';
import { makeDirectoryAsync } from '../../os/files/make-directory.ts';
import { Observable } from 'rxjs';
import { WebSocketServer } from 'ws';
import { closeDescriptor, descriptorOfHandle } from '../../os/handles.ts';
import { helloOf } from '../../streams/wire/messages.ts';
import type { ClientId, ControlServer, Incoming, OpenClient } from '../../streams/wire/ports.ts';
import { MAX_FRAME, type Hello } from '../../streams/wire/protocol.ts';
import { connections, type Connection, type Connections } from './connections.ts';
import { reopened } from './handed-connection.ts';
import { openDoor, type Door } from './door.ts';
import { gateBefore, type Judge } from './gate.ts';
import { turnAway } from './turn-away.ts';

/** More clients than this are told so and turned away, so that they cannot use up the supervisor's descriptors. */
const MOST_CLIENTS = 1024;
/** More than so many beside them are hung up on at once. */
const MOST_TURNED_AWAY = 64;
/** What clients have to take in their last answers when the server closes. */
const FAREWELL_MS = 500;

interface ServerPorts {
  /** Where to listen. The data directory's lock is held, so whatever lies there is a leftover. */
  readonly socketPath: string;
  readonly hello: Hello;
  /** Clients at once. */
  readonly most?: number;
  /** Absent: every connection is admitted. */
  readonly judge?: Judge;
}

const admitAll: Judge = () => ({ tag: 'whole' });

export const controlServer = (ports: ServerPorts): ControlServer => {
  const { socketPath, hello, most = MOST_CLIENTS, judge = admitAll } = ports;
  const requests = audience<Incoming>();
  const departures = audience<ClientId>();
  const clients = connections(`${randomBytes(4).toString('hex')}-`, {
    request: requests.tell,
    left: departures.tell,
  });
  const http = webServer(most + MOST_TURNED_AWAY);
  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_FRAME, perMessageDeflate: false });
  const begun = admitting({ http, sockets, judge }, (connection) => {
    if (clients.count() >= most) turnAway(connection.socket, connection.line);
    else clients.admit(connection, helloOf(hello));
  });
  let door: Door | undefined;
  // Refused once at `listen`, which rejects; later ones (out of descriptors) turn away one client, no more.
  sockets.on('error', () => undefined);
  return {
    ...handing({ http, sockets, clients, socketPath, hello, begun, judge }),
    incoming$: requests.heard$,
    left$: departures.heard$,
    listen: () => listenAt(http, socketPath),
    openDoor: async (path, gate) => {
      door = await openDoor(path, {
        gate,
        admit: (socket, line) =>
          clients.admit({ socket, line, upSince: uptime(), narrow: true }, helloOf(bareHello(hello))),
      });
    },
    mend: () => mend(http, socketPath).then(() => door?.mend()),
    send: clients.send,
    connectionOf: clients.connectionOf,
    keepsUp: clients.keepsUp,
    close: async () => {
      await door?.close();
      await closeDown({ http, sockets, clients, socketPath });
    },
  };
};

/** A service of another user learns the protocol, and nothing else about the supervisor. */
const bareHello = ({ protocol }: Hello): Hello => ({ protocol, version: '', pid: 0, since: '' });

const webServer = (most: number): Server => {
  const http = createServer((_request, response) => {
    response.writeHead(426, { connection: 'close' }).end('this socket speaks WebSocket\n');
  });
  http.maxConnections = most;
  return http;
};

/** It may ask for children, and for nothing else. */
const NARROW = { narrow: true } as const;

/** Returns the connections that the gate has admitted and WebSocket has not yet. */
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

/** Listeners that come and go; there is no replay. */
const audience = <T>(): { readonly tell: (value: T) => void; readonly heard$: Observable<T> } => {
  const listeners = new Set<(value: T) => void>();
  return {
    // A copy: whoever begins to listen on hearing this one hears the next.
    tell: (value) => [...listeners].forEach((listener) => listener(value)),
    heard$: new Observable((subscriber) => {
      const listener = (value: T): void => subscriber.next(value);
      listeners.add(listener);
      return () => listeners.delete(listener);
    }),
  };
};

const listenAt = async (http: Server, socketPath: string): Promise<void> => {
  await rm(socketPath, { force: true });
  // Under a name of its own first: a server that is closed removes the name under which it began to listen.
  const temporary = `${dirname(socketPath)}/c.${process.pid}`;
  await rm(temporary, { force: true });
  http.listen(temporary);
  await once(http, 'listening');
  await chmod(temporary, 0o600);
  await rename(temporary, socketPath);
};

/** Closed and opened again, for new connections only: those that are there do not belong to the server any more. */
const mend = async (http: Server, socketPath: string): Promise<void> => {
  if (!http.listening || existsSync(socketPath)) return;
  await makeDirectoryAsync(dirname(socketPath), 0o700);
  http.close();
  await listenAt(http, socketPath);
};

interface Handing extends Open {
  readonly hello: Hello;
  /** Admitted by the gate, and not yet by WebSocket. */
  readonly begun: ReadonlySet<Socket>;
  readonly judge: Judge;
}

/** All that is between the server of one program and that of the next. Whom it has not taken in the kernel keeps. */
const handing = (own: Handing): Pick<ControlServer, 'pause' | 'handed' | 'takeOver'> => ({
  pause: (duplicate) => {
    const descriptor = descriptorOfHandle(own.http);
    if (descriptor === undefined) throw new Error('the control socket is not open');
    const listening = duplicate(descriptor);
    // Not the close of HTTP, which would hang up on those who have just dialled.
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

/** The program before may have admitted what this one refuses. */
const admitHanded = ({ clients, hello, judge }: Handing, { id, descriptor }: OpenClient): void => {
  const admission = judge(descriptor);
  if (admission instanceof Promise || admission.tag === 'refused') return closeDescriptor(descriptor);
  const narrow = admission.tag === 'narrow' ? NARROW : {};
  // Later than it was made, which this program cannot know.
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
