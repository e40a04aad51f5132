// The WebSockets of pages. A WebSocket is accepted if `Host`, `Origin` and cookie are right, and closed if
// the page sends too much or no longer answers.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { isOwnOrigin, ownPort, type OwnOrigin } from '../http/own-origin.ts';
import type { SessionKeys } from '../http/session-keys.ts';
import { SOCKET_PATH } from '../page-messages.ts';

/** The longest accepted message of a page, bytes. */
const LONGEST_MESSAGE = 64 * 1024;
const MOST_PAGES = 64;
/** How often a page is pinged, ms. A page that has not answered when the next ping is due is disconnected. */
const PING_MS = 20_000;

interface Gate {
  readonly own: OwnOrigin;
  readonly keys: SessionKeys;
}

/** Returns the HTTP status of the refusal, or `undefined` if the request is accepted. */
const refusal = ({ headers, url }: IncomingMessage, { own, keys }: Gate): string | undefined => {
  const port = ownPort(headers.host, own);
  if (port === undefined) return '421 Misdirected Request';
  if (url !== SOCKET_PATH) return '404 Not Found';
  if (!isOwnOrigin(headers, own)) return '403 Forbidden';
  return keys.hasCookie(headers.cookie, port) ? undefined : '401 Unauthorized';
};

const refuse = (line: Duplex, status: string): void => {
  line.on('error', () => undefined);
  line.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => line.destroy());
};

const endIfGone = (page: WebSocket): void => {
  let hasAnswered = true;
  const timer = setInterval(() => {
    if (!hasAnswered) return page.terminate();
    hasAnswered = false;
    page.ping();
  }, PING_MS);
  page.on('pong', () => (hasAnswered = true)).on('close', () => clearInterval(timer));
};

/** Calls `accept` with each page that connects. Returns a function that disconnects all pages. */
export const acceptPages = (server: Server, gate: Gate, accept: (page: WebSocket) => void): (() => void) => {
  const pages = new Set<WebSocket>();
  const sockets = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: LONGEST_MESSAGE },
  });
  server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
    const status =
      refusal(request, gate) ?? (pages.size < MOST_PAGES ? undefined : '503 Service Unavailable');
    if (status !== undefined) return refuse(line, status);
    sockets.handleUpgrade(request, line, head, (page) => {
      pages.add(page);
      page.on('error', () => undefined).on('close', () => pages.delete(page));
      endIfGone(page);
      accept(page);
    });
  });
  return () => pages.forEach((page) => page.terminate());
};
