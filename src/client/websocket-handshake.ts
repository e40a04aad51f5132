// The opening handshake of a WebSocket (RFC 6455, section 4.1). This file replaces the handshake of the
// library `ws`. That handshake loads `http` and `crypto`, which takes longer than a whole short command. A
// fixed key is enough here: it protects against caches between client and server, and a unix socket has no
// caches.
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { MAX_ANSWER } from '../streams/wire/protocol.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
/** Matches the header with which a server accepts the key `KEY` (RFC 6455, section 1.3). */
const ACCEPT = /^Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r?$/m;
const REQUEST = [
  'GET / HTTP/1.1',
  ...['Host: localhost', 'Upgrade: websocket', 'Connection: Upgrade'],
  ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${KEY}`],
  '\r\n',
].join('\r\n');

/** Maximum length of the header of an answer, bytes. A supervisor never sends a longer header. */
const LONGEST_HEADER = 16 * 1024;

/** The internals of the library that this file uses. */
interface Inside {
  _isServer: boolean;
  setSocket(socket: Duplex, head: Buffer, options: Readonly<Record<string, unknown>>): void;
}

/** Returns a WebSocket on an open connection. `head`: the bytes that were read after the handshake. */
const opened = (line: Duplex, head: Buffer): WebSocket => {
  // With `null` as the address the constructor opens no connection. The library's types do not declare this
  // form.
  const socket = Reflect.construct(WebSocket, [null, undefined, { autoPong: true }]) as WebSocket;
  const inside = socket as unknown as Inside;
  inside._isServer = false;
  inside.setSocket(line, head, {
    ...{ allowSynchronousEvents: true, maxPayload: MAX_ANSWER, skipUTF8Validation: false },
    // The function sets no mask, so the mask stays zero. A mask protects proxies between client and server,
    // and a unix socket has no proxies.
    generateMask: () => undefined,
  });
  return socket;
};

interface Listeners {
  /** Called when the server has accepted. The callee must add its listeners to the socket at once. */
  readonly accepted: (socket: WebSocket) => void;
  /** Called when the server has refused and ended the connection. `body`: the reason that the server sent. */
  readonly refused: (body: string) => void;
}

/** Requests a WebSocket on a connection. Calls neither listener if the connection is destroyed first. */
export const openWebSocket = (line: Duplex, { accepted, refused }: Listeners): void => {
  let known: Buffer = Buffer.alloc(0);
  const leave = (): void => void line.off('data', read).off('end', refuse);
  const refuse = (): void => {
    leave();
    const end = known.indexOf('\r\n\r\n');
    refused(end < 0 ? '' : known.subarray(end + 4).toString());
  };
  const read = (chunk: Buffer): void => {
    known = Buffer.concat([known, chunk]);
    const end = known.indexOf('\r\n\r\n');
    if (end < 0 && known.length > LONGEST_HEADER) line.destroy();
    if (end < 0) return;
    const header = known.subarray(0, end).toString('latin1');
    if (!header.startsWith('HTTP/1.1 101 ') || !ACCEPT.test(header)) return;
    leave();
    accepted(opened(line, known.subarray(end + 4)));
  };
  line.on('data', read).on('end', refuse).write(REQUEST);
};
