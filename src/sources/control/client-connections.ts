// The clients of the control socket, each with an id. Everything sent to a client goes through this file.
//
// In an upgrade the new program takes over open connections. The WebSocket library has no API for that, so
// this file uses internals of the library. Its version is fixed, because it is bundled. A connection is
// handed over between two messages, when no data of it is in memory.
import { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import { descriptorOfHandle } from '../../os/own-descriptors.ts';
import { type DecodedRequest, decodeRequest, encode } from '../../streams/wire/codec.ts';
import type { ClientId, Incoming } from '../../streams/wire/control-ports.ts';
import { MAX_FRAME, type RpcMessage } from '../../streams/wire/protocol.ts';
import { onlyOfServices } from './service-socket.ts';

/** The internals of the library that this file uses. */
interface Inside {
  readonly _socket?: Socket | null;
  readonly _receiver?: {
    readonly _state: number;
    readonly _bufferedBytes: number;
    readonly _fragmented: number;
  };
  setSocket(socket: Socket, head: Buffer, options: Readonly<Record<string, unknown>>): void;
}

const inside = (socket: WebSocket): Inside => socket as unknown as Inside;

/** True if the connection is between two messages: no part of a message is in memory. */
const isBetween = ({ _receiver: receiver }: Inside): boolean =>
  receiver?._state === 0 && receiver._bufferedBytes === 0 && receiver._fragmented === 0;

/**
 * Returns the descriptor of the connection, if it can be handed over: it is between two messages, and
 * everything sent to the client has left this process.
 */
const handable = (socket: WebSocket): number | undefined => {
  const { _socket: own } = inside(socket);
  if (!own || socket.readyState !== WebSocket.OPEN || !isBetween(inside(socket))) return undefined;
  return socket.bufferedAmount > 0 || own.readableLength > 0 ? undefined : descriptorOfHandle(own);
};

/**
 * Returns a WebSocket for the descriptor of an open connection. It reads no data before the next turn of the
 * event loop.
 */
export const reopened = (
  descriptor: number,
  maxPayload: number,
): { readonly socket: WebSocket; readonly line: Socket } => {
  // Creates the server side of a WebSocket. The library's types declare only the client side.
  const socket = Reflect.construct(WebSocket, [null, undefined, { autoPong: true }]) as WebSocket;
  const line = new Socket({ fd: descriptor, readable: true, writable: true });
  const options = { allowSynchronousEvents: true, maxPayload, skipUTF8Validation: false };
  inside(socket).setSocket(line, Buffer.alloc(0), options);
  return { socket, line };
};

/** The close code of WebSocket for a client that has violated the rules. */
const POLICY_VIOLATION = 1008;
/**
 * Maximum number of unsent bytes for a client that watches services. Above it, the client gets no status
 * until it has read some of these bytes.
 */
const BEHIND = 256 * 1024;

/**
 * The maximum number of unsent bytes for a client of the service socket. A client with more unsent bytes does
 * not read, so it is disconnected.
 */
const MOST_UNSENT_NARROW = 64 * 1024;

/** A client that can be handed over: its connection is between two messages. */
interface HandableClient {
  readonly id: ClientId;
  readonly descriptor: number;
}

interface Listeners {
  readonly request: (incoming: Incoming) => void;
  readonly left: (client: ClientId) => void;
}

export interface Connection {
  readonly socket: WebSocket;
  /** The network socket below the WebSocket. */
  readonly line: Socket;
  /** When the client connected, as the machine's uptime in s. */
  readonly upSince: number;
  /** Set for a client of the service socket: it may only report events and request children. */
  readonly narrow?: true;
}

export interface Connections {
  /** Adds a client and sends it the greeting. A client that was handed over keeps its id. */
  readonly admit: (connection: Connection, greeting: RpcMessage, id?: ClientId) => void;
  /** Returns the clients that can be handed over now: those with a connection between two messages. */
  readonly handable: () => readonly HandableClient[];
  /**
   * Returns the number of open connections of the control socket. Connections of the service socket are not
   * counted, because an upgrade closes them.
   */
  readonly count: () => number;
  readonly send: (client: ClientId, message: RpcMessage) => void;
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  readonly keepsUp: (client: ClientId) => boolean;
  /**
   * While `quiet` is true, no status is sent to clients that watch services. Afterwards they get the whole
   * status.
   */
  readonly hush: (quiet: boolean) => void;
  /** Closes all connections. Messages that were sent before are still delivered. */
  readonly closeAll: () => void;
  /** Closes all connections immediately. */
  readonly terminateAll: () => void;
}

/** Creates the set of clients. `prefix` makes client ids differ from those of the previous supervisor. */
export const connections = (prefix: string, listeners: Listeners): Connections => {
  const open = new Map<ClientId, Connection>();
  const written = onceEach();
  let count = 0;
  let isQuiet = false;
  const admit: Connections['admit'] = (connection, greeting, id) => {
    const { socket } = connection;
    count += 1;
    const client = id ?? `${prefix}${count}`;
    open.set(client, connection);
    readRequests(connection, (request) => listeners.request({ client, request }));
    socket.on('close', () => {
      open.delete(client);
      listeners.left(client);
    });
    deliver(connection, greeting);
  };
  return {
    admit,
    send: (client, message) => deliver(open.get(client), message, written),
    connectionOf: (client) => described(open.get(client)),
    hush: (quiet) => (isQuiet = quiet),
    keepsUp: (client) => !isQuiet && (open.get(client)?.socket.bufferedAmount ?? 0) <= BEHIND,
    handable: () =>
      [...open].flatMap(([id, { socket, narrow }]) => {
        const descriptor = narrow ? undefined : handable(socket);
        return descriptor === undefined ? [] : [{ id, descriptor }];
      }),
    count: () =>
      [...open.values()].filter(({ socket, narrow }) => !narrow && socket.readyState === WebSocket.OPEN)
        .length,
    closeAll: () => open.forEach(({ socket }) => socket.close()),
    terminateAll: () => open.forEach(({ socket }) => socket.terminate()),
  };
};

const readRequests = (connection: Connection, receive: (request: Incoming['request']) => void): void => {
  const { socket, narrow } = connection;
  socket.on('message', (data, binary) => {
    // An earlier listener may have closed this connection because its user sent too many messages. The
    // message that exceeded the limit is then ignored.
    if (narrow && socket.readyState !== WebSocket.OPEN) return;
    const decoded = decodeRequest(binary ? '' : textOf(data));
    const checked = narrow ? onlyOfServices(decoded) : decoded;
    if (checked.ok) receive(checked.request);
    else refuse(connection, checked);
  });
  // If a frame breaks the protocol or is too large, the library itself closes this connection.
  socket.on('error', () => undefined);
};

const described = (connection: Connection | undefined): ReturnType<Connections['connectionOf']> => {
  if (connection === undefined) return undefined;
  const descriptor = descriptorOfHandle(connection.line);
  return descriptor === undefined ? undefined : { descriptor, upSince: connection.upSince };
};

/**
 * Returns `encode` with a cache, so that a message to many clients in one turn of the loop is encoded only
 * once.
 */
const onceEach = (): typeof encode => {
  let last: { readonly message: RpcMessage; readonly text: string } | undefined;
  return (message) => {
    if (last?.message === message) return last.text;
    const text = encode(message);
    last = { message, text };
    queueMicrotask(() => (last = undefined));
    return text;
  };
};

/**
 * Sends a message. Disconnects a client that does not read, because its unsent data would fill the memory.
 */
const deliver = (connection: Connection | undefined, message: RpcMessage, write = encode): void => {
  if (connection?.socket.readyState !== WebSocket.OPEN) return;
  const { socket, narrow } = connection;
  if (socket.bufferedAmount > (narrow ? MOST_UNSENT_NARROW : MAX_FRAME)) socket.terminate();
  else socket.send(write(message));
};

/**
 * Answers a malformed message. If the message has no id, it is not a request, and the client is also
 * disconnected.
 */
const refuse = (connection: Connection, { id, error }: Extract<DecodedRequest, { ok: false }>): void => {
  deliver(connection, { jsonrpc: '2.0', id, error });
  if (id === null) connection.socket.close(POLICY_VIOLATION, 'not a request');
};

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
};
