// The clients of the control socket: one number each, one door through which everything to them goes.
import type { Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { descriptorOfHandle } from '../../os/handles.ts';
import { decodeRequest, encode, type DecodedRequest } from '../../streams/wire/codec.ts';
import { RPC } from '../../streams/wire/messages.ts';
import type { ClientId, Incoming } from '../../streams/wire/ports.ts';
import { handable } from './handed-connection.ts';
import { MAX_FRAME, type RpcMessage } from '../../streams/wire/protocol.ts';

/** WebSocket's own word for a message against the rules. */
const POLICY_VIOLATION = 1008;
/** Whoever has more than this before him is behind, bytes. */
const BEHIND = 256 * 1024;

/** A client of the spawn socket with more unsent bytes than this does not read: it is disconnected. */
const MOST_UNSENT_NARROW = 64 * 1024;

/** One connection between two messages. */
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
  /** What lies under it. */
  readonly line: Socket;
  /** How long the machine was up when it was made, s. */
  readonly upSince: number;
  /** It came by the door: it may ask for a child, and for nothing else. */
  readonly narrow?: true;
}

export interface Connections {
  /** Takes a client in and greets it; under the id that it has already, where it was handed over. */
  readonly admit: (connection: Connection, greeting: RpcMessage, id?: ClientId) => void;
  /** Clients that can be handed over in this moment, by descriptor; the others are in the middle of something. */
  readonly handable: () => readonly HandableClient[];
  /** Of those who have not begun to hang up; who came by the door dials again. */
  readonly count: () => number;
  readonly send: (client: ClientId, message: RpcMessage) => void;
  readonly connectionOf: (
    client: ClientId,
  ) => { readonly descriptor: number; readonly upSince: number } | undefined;
  readonly keepsUp: (client: ClientId) => boolean;
  /** While nobody is to be sent views nobody keeps up: who watches has everything again afterwards. */
  readonly hush: (quiet: boolean) => void;
  /** Ends all of them; what was sent before still goes out. */
  readonly closeAll: () => void;
  /** Ends all of them at once. */
  readonly terminateAll: () => void;
}

/** `prefix` keeps the ids of this supervisor apart from those of the one before it. */
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
    hear(connection, (request) => listeners.request({ client, request }));
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

const hear = (connection: Connection, tell: (request: Incoming['request']) => void): void => {
  const { socket, narrow } = connection;
  socket.on('message', (data, binary) => {
    // More than its uid may send: it has just been closed, and this message is one too many.
    if (narrow && socket.readyState !== WebSocket.OPEN) return;
    const decoded = decodeRequest(binary ? '' : textOf(data));
    const heard = narrow ? onlySpawn(decoded) : decoded;
    if (heard.ok) tell(heard.request);
    else refuse(connection, heard);
  });
  // A frame that breaks the protocol or is too large: the library closes this client; there is nothing to add.
  socket.on('error', () => undefined);
};

const onlySpawn = (decoded: DecodedRequest): DecodedRequest => {
  if (!decoded.ok) return decoded;
  const { id, method, params } = decoded.request;
  if (method === 'command' && params.type === 'spawn') return decoded;
  const message = 'method: nothing but spawn is heard here';
  return { ok: false, id, error: { code: RPC.unknownMethod, message } };
};

const described = (connection: Connection | undefined): ReturnType<Connections['connectionOf']> => {
  if (connection === undefined) return undefined;
  const descriptor = descriptorOfHandle(connection.line);
  return descriptor === undefined ? undefined : { descriptor, upSince: connection.upSince };
};

/** A message that goes to many in one turn is put into writing once. */
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

/** A client that does not read is cut off: what it has not taken in is the supervisor's memory. */
const deliver = (connection: Connection | undefined, message: RpcMessage, write = encode): void => {
  if (connection?.socket.readyState !== WebSocket.OPEN) return;
  const { socket, narrow } = connection;
  if (socket.bufferedAmount > (narrow ? MOST_UNSENT_NARROW : MAX_FRAME)) socket.terminate();
  else socket.send(write(message));
};

/** A request that does not fit is answered; a client that does not even send requests is disconnected. */
const refuse = (connection: Connection, { id, error }: Extract<DecodedRequest, { ok: false }>): void => {
  deliver(connection, { jsonrpc: '2.0', id, error });
  if (id === null) connection.socket.close(POLICY_VIOLATION, 'not a request');
};

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
};
