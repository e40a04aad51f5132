// The check before the control socket's HTTP: a connection is judged when it is accepted, before anything is
// read or written. A refused connection gets one HTTP response with the typed error, and is closed.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { descriptorOfHandle } from '../../os/own-descriptors.ts';
import type { Admission } from '../../streams/admission/admit.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { encode } from '../../streams/wire/codec.ts';
import { refusalOf } from '../../streams/wire/messages.ts';

/** Judges the process that is now at the other end of a descriptor. */
export type Judge = (descriptor: number | undefined) => Admission | Promise<Admission>;

/** Time for a refused client to read its answer. */
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

/** Lets the client finish writing first: closing at once would discard the answer. */
const refuse = (socket: Socket, detail: string): void => {
  socket.resume();
  socket.on('end', () => socket.destroy());
  socket.end(answerFor(detail));
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
};

interface Gate {
  /** True for a connection that may only request children. */
  readonly isNarrow: (socket: Socket) => boolean;
}

/** `onAdmitted` is called before the first byte of an admitted connection is read. */
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
    // A client that hangs up before it is admitted causes an error that affects nothing else.
    socket.on('error', () => undefined);
    const admission = judge(descriptorOfHandle(socket));
    if (admission instanceof Promise) void admission.then((late) => decided(socket, late));
    else decided(socket, admission);
  });
  return { isNarrow: (socket) => narrow.has(socket) };
};
