// The service socket: a second socket, on which processes of services report events and request children
// (`docs/security.md`, "The service socket"). It accepts no other request.
//
// Any process that reaches the socket can connect. Before a byte is read, the uid of the process, as the
// kernel reports it, decides whether the connection is admitted. Each uid has limits, so that services of one
// user cannot block the services of another user.
//
// Rules: `docs/behaviour.md`, "Events that a service reports", "Confined services"; `docs/behaviour.md`,
// "Children that a service asks for", "The caller"; `docs/behaviour.md`, "Control channel".
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { makeDirectoryAsync } from '../../os/files/directories.ts';
import { descriptorOfHandle } from '../../os/own-descriptors.ts';
import type { DecodedRequest } from '../../streams/wire/codec.ts';
import type { ServiceGate } from '../../streams/wire/control-ports.ts';
import { RPC } from '../../streams/wire/messages.ts';
import { TRY_AGAIN_LATER } from '../../streams/wire/protocol.ts';

export const turnAway = (socket: WebSocket, line: Socket): void => {
  socket.close(TRY_AGAIN_LATER);
  line.destroySoon();
};

/** The commands that a client of the service socket may send. */
const OF_SERVICES: ReadonlySet<string> = new Set(['spawn', 'report']);

/** Refuses a request that a client of the service socket may not send. */
export const onlyOfServices = (decoded: DecodedRequest): DecodedRequest => {
  if (!decoded.ok) return decoded;
  // The field `origin` names the program that sends a request. It is removed, because a service could name
  // another program.
  const { origin: _, ...request } = decoded.request;
  const { id, method, params } = request;
  if (method === 'command' && OF_SERVICES.has(params.type)) return { ok: true, request };
  const message = 'method: the service socket accepts only spawn and event';
  return { ok: false, id, error: { code: RPC.unknownMethod, message } };
};

/** Maximum number of open connections of one uid; further ones are refused. */
const MOST_CONNECTIONS = 8;
/** How many new connections one uid may make in a time window, and how many requests. */
const MOST_IN_WINDOW = 20;
const WINDOW_MS = 1_000;
/**
 * The limits of the supervisor's own uid are higher by this factor, because all services without `user` share
 * it.
 */
const SHARED_FACTOR = 8;

interface Use {
  connections: number;
  opened: readonly number[];
  requested: readonly number[];
}

interface Allowance {
  /**
   * Counts a new connection of the uid, until `close` is called. False if the uid has reached its limit and
   * the connection must be refused.
   */
  readonly open: (uid: number) => boolean;
  readonly close: (uid: number) => void;
  /** Counts a message of the uid. False if the uid has reached its limit and the message must be refused. */
  readonly request: (uid: number) => boolean;
}

/** Counts the connections and messages of each uid. `own`: the uid of the supervisor. */
const allowance = (own: number): Allowance => {
  const now = (): number => performance.now();
  const mostOf = (uid: number, most: number): number => (uid === own ? most * SHARED_FACTOR : most);
  const uses = new Map<number, Use>();
  const useOf = (uid: number): Use => {
    const known = uses.get(uid) ?? { connections: 0, opened: [], requested: [] };
    uses.set(uid, known);
    return known;
  };
  const isRecent = (at: number): boolean => now() - at < WINDOW_MS;
  const count = (uid: number, what: 'opened' | 'requested'): boolean => {
    const use = useOf(uid);
    const recent = use[what].filter(isRecent);
    const mayGoOn = recent.length < mostOf(uid, MOST_IN_WINDOW);
    use[what] = mayGoOn ? [...recent, now()] : recent;
    return mayGoOn;
  };
  return {
    open: (uid) => {
      const use = useOf(uid);
      if (use.connections >= mostOf(uid, MOST_CONNECTIONS) || !count(uid, 'opened')) return false;
      use.connections += 1;
      return true;
    },
    close: (uid) => void (useOf(uid).connections -= 1),
    request: (uid) => count(uid, 'requested'),
  };
};

/** Maximum duration of a connection, ms; then it is closed. */
const PATIENCE_MS = 30_000;
const MAX_FRAME = 1024 * 1024;

export interface ServiceSocket {
  /** If the path of the socket was removed, listens there again. */
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Opening {
  readonly gate: ServiceGate;
  readonly admit: (socket: WebSocket, line: Socket) => void;
}

/** Returns the uid of the connection; if it is not admitted, closes it and returns `undefined`. */
const admitted = (line: Socket, gate: ServiceGate, allowed: Allowance): number | undefined => {
  const descriptor = descriptorOfHandle(line);
  const uid = descriptor === undefined ? undefined : gate.uidOf(descriptor);
  if (uid !== undefined && gate.admits(uid) && allowed.open(uid)) return uid;
  line.destroy();
  return undefined;
};

/** Returns an HTTP server that does not listen: it handles only connections that are passed to it. */
const webServer = (): Server =>
  createHttpServer((_request, response) => {
    response.writeHead(426, { connection: 'close' }).end();
  });

/**
 * Closes a connection that exceeds the limit of messages. A ping counts as a message, because it is answered.
 * The listener of this function runs before the other listeners, so that these find the connection closed.
 */
const limited = (socket: WebSocket, line: Socket, mayGoOn: () => boolean): void => {
  const count = (): void => {
    if (socket.readyState === socket.OPEN && !mayGoOn()) turnAway(socket, line);
  };
  socket.prependListener('message', count);
  socket.on('ping', count);
};

interface Front {
  readonly server: NetServer;
  readonly closeAll: () => void;
}

/** Returns a server that accepts connections of admitted uids and gives them to the HTTP server. */
const frontOf = ({ gate, admit }: Opening): Front => {
  const allowed = allowance(gate.own);
  const uids = new Map<Socket, number>();
  const http = webServer();
  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_FRAME, perMessageDeflate: false });
  const server = createServer((line) => {
    line.on('error', () => undefined);
    const uid = admitted(line, gate, allowed);
    if (uid === undefined) return;
    uids.set(line, uid);
    setTimeout(() => line.destroy(), PATIENCE_MS).unref();
    line.once('close', () => {
      uids.delete(line);
      allowed.close(uid);
    });
    http.emit('connection', line);
  });
  sockets.on('connection', (socket, { socket: line }) => {
    limited(socket, line, () => allowed.request(uids.get(line) ?? -1));
    admit(socket, line);
  });
  for (const one of [sockets, server]) one.on('error', () => undefined);
  return {
    server,
    closeAll: () => {
      sockets.close();
      uids.forEach((_, line) => line.destroy());
    },
  };
};

/** Opens the service socket. Rejects if that fails. */
export const openServiceSocket = async (path: string, opening: Opening): Promise<ServiceSocket> => {
  const { server, closeAll } = frontOf(opening);
  const listen = async (): Promise<void> => {
    await makeDirectoryAsync(dirname(path), 0o700);
    await rm(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, opening.gate.mode);
  };
  await listen();
  return {
    mend: async () => {
      if (!server.listening || existsSync(path)) return;
      server.close();
      await listen();
    },
    close: async () => {
      server.close();
      closeAll();
      await rm(path, { force: true });
    },
  };
};
