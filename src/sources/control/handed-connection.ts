// A client's connection, on its way from one program to the next in the same process: WebSocket has no word for that, so
// that this looks into the library, which is bundled with us. Between two frames nothing of a connection is in memory.
import { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { descriptorOfHandle } from '../../os/handles.ts';

/** As much of the library as is used here. */
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

/** Nothing of a message has been read. */
const isBetween = ({ _receiver: receiver }: Inside): boolean =>
  receiver?._state === 0 && receiver._bufferedBytes === 0 && receiver._fragmented === 0;

/** Its descriptor, between two frames and with everything sent; `undefined`: not now. */
export const handable = (socket: WebSocket): number | undefined => {
  const { _socket: own } = inside(socket);
  if (!own || socket.readyState !== WebSocket.OPEN || !isBetween(inside(socket))) return undefined;
  return socket.bufferedAmount > 0 || own.readableLength > 0 ? undefined : descriptorOfHandle(own);
};

/** The other half: a connection that is open, by its descriptor. Nothing is read before this turn is over. */
export const reopened = (
  descriptor: number,
  maxPayload: number,
): { readonly socket: WebSocket; readonly line: Socket } => {
  // Of a server: the types know only those that dial.
  const socket = Reflect.construct(WebSocket, [null, undefined, { autoPong: true }]) as WebSocket;
  const line = new Socket({ fd: descriptor, readable: true, writable: true });
  const options = { allowSynchronousEvents: true, maxPayload, skipUTF8Validation: false };
  inside(socket).setSocket(line, Buffer.alloc(0), options);
  return { socket, line };
};
