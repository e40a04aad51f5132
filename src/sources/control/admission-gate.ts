// Checks each connection to the control socket before anything is read or written. A refused connection
// receives one HTTP response with the typed error.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { descriptorOfHandle } from '../../os/own-descriptors.ts';
import type { Admission } from '../../streams/admission/admit-to-control-socket.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { encode } from '../../streams/wire/codec.ts';
import { refusalOf } from '../../streams/wire/messages.ts';

/**
 * Decides what the process at the other end of a connection may do. `descriptor`: the descriptor of the
 * connection; `undefined` if the connection is already closed.
 */
export type Judge = (descriptor: number | undefined) => Admission | Promise<Admission>;

/** Maximum time for a refused client to read its answer, ms; then the connection is closed. */
const FAREWELL_MS = 500;

const answerFor = (detail: string): string => {
  const body = `${encode(refusalOf(errorDocument({ code: 'ERR0750', detail })))}\n`;
  return [
    'HTTP/1.1 403 Forbidden',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
};

/**
 * Sends the refusal and waits until the client has finished writing, because closing at once would lose the
 * answer.
 */
const refuse = (socket: Socket, detail: string): void => {
  socket.resume();
  socket.on('end', () => socket.destroy());
  socket.end(answerFor(detail));
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
};

interface Gate {
  /** True if the client of this connection may only report events and request children. */
  readonly isNarrow: (socket: Socket) => boolean;
}

/**
 * Checks each connection before the HTTP server reads from it. `onAdmitted` is called for admitted
 * connections.
 */
export const gateBefore = (http: Server, judge: Judge, onAdmitted: (socket: Socket) => void): Gate => {
  const narrow = new WeakSet<Socket>();
  const speak = http.listeners('connection');
  http.removeAllListeners('connection');
  const decided = (socket: Socket, admission: Admission): void => {
    if (admission.tag === 'refused') return refuse(socket, admission.detail);
    if (admission.tag === 'narrow') narrow.add(socket);
    onAdmitted(socket);
    for (const listener of speak) Reflect.apply(listener, http, [socket]);
  };
  http.on('connection', (socket: Socket) => {
    // A client may close the connection before it is admitted. Without this listener, the error would be
    // uncaught.
    socket.on('error', () => undefined);
    const admission = judge(descriptorOfHandle(socket));
    if (admission instanceof Promise) void admission.then((late) => decided(socket, late));
    else decided(socket, admission);
  });
  return { isNarrow: (socket) => narrow.has(socket) };
};
