// Passes a client's connection from one program to the next in the same process. WebSocket has no API for
// that, so this uses internals of the library, which is bundled. Between two frames, no data of a connection
// is in memory.
import { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { descriptorOfHandle } from '../../os/handles.ts';

/** The part of the library's internals used here. */
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

/** True if no part of a message has been read. */
const isBetween = ({ _receiver: receiver }: Inside): boolean =>
  receiver?._state === 0 && receiver._bufferedBytes === 0 && receiver._fragmented === 0;

/**
 * Returns the descriptor of a connection that is between two frames and has sent everything, else
 * `undefined`.
 */
export const handable = (socket: WebSocket): number | undefined => {
  const { _socket: own } = inside(socket);
  if (!own || socket.readyState !== WebSocket.OPEN || !isBetween(inside(socket))) return undefined;
  return socket.bufferedAmount > 0 || own.readableLength > 0 ? undefined : descriptorOfHandle(own);
};

/** Wraps the descriptor of an open connection. No data is read before this turn ends. */
export const reopened = (
  descriptor: number,
  maxPayload: number,
): { readonly socket: WebSocket; readonly line: Socket } => {
  // The server side: the types know only clients.
  const socket = Reflect.construct(WebSocket, [null, undefined, { autoPong: true }]) as WebSocket;
  const line = new Socket({ fd: descriptor, readable: true, writable: true });
  const options = { allowSynchronousEvents: true, maxPayload, skipUTF8Validation: false };
  inside(socket).setSocket(line, Buffer.alloc(0), options);
  return { socket, line };
};
