// Answers HTTP requests: the files of the page, and the exchange of the token for the cookie. Data is sent
// only over the WebSocket.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SESSION_PATH, SOCKET_PATH } from '../page-messages.ts';
import { isOwnOrigin, ownPort, type OwnOrigin } from './own-origin.ts';
import type { PageFile, PageFiles } from './page-files.ts';
import { cookieName, type SessionKeys } from './session-keys.ts';

/** The longest accepted body of a request, bytes. A token is much shorter. */
const LONGEST_BODY = 1024;

const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ...["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
].join('; ');

/**
 * Headers of every answer. CORS headers are missing on purpose, so pages of other origins cannot read an
 * answer.
 */
const SECURITY_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
} as const;

interface Served {
  readonly own: OwnOrigin;
  readonly files: PageFiles;
  readonly keys: SessionKeys;
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const end = ({ response }: HttpExchange, { status, text, headers }: Answer): void => {
  const plain = { 'content-type': 'text/plain; charset=utf-8' };
  response
    .writeHead(status, { ...plain, ...SECURITY_HEADERS, ...headers })
    .end(text === '' ? '' : `${text}\n`);
};

/**
 * Resolves to the body, or to `undefined` if the body is too long or the connection breaks before its end.
 */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  let body = '';
  try {
    for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
      body += chunk;
      if (body.length > LONGEST_BODY) return undefined;
    }
  } catch {
    return undefined;
  }
  return body;
};

const cookieOf = (value: string, port: number, scheme: OwnOrigin['scheme']): string =>
  `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict${scheme === 'https' ? '; Secure' : ''}`;

/** Resolves to the answer to a request that exchanges the token for the cookie. */
const exchanged = async ({ own, keys }: Served, request: IncomingMessage): Promise<Answer> => {
  if (request.method !== 'POST')
    return { status: 405, text: 'only POST is known here', headers: { allow: 'POST' } };
  const port = ownPort(request.headers.host, own);
  if (port === undefined || !isOwnOrigin(request.headers, own))
    return { status: 403, text: 'only the page itself may do this' };
  const token = await bodyOf(request);
  if (token === undefined)
    return { status: 413, text: 'too long for a token', headers: { connection: 'close' } };
  const found = keys.exchange(token);
  if (found === 'too often')
    return { status: 429, text: 'too many attempts', headers: { 'retry-after': '1' } };
  if (found === 'wrong')
    return { status: 401, text: 'wrong token: use the URL that sup dashboard has printed' };
  return { status: 204, text: '', headers: { 'set-cookie': cookieOf(found.cookie, port, own.scheme) } };
};

const sendFile = ({ type, body }: PageFile, { request, response }: HttpExchange): void => {
  response.writeHead(200, { 'content-type': type, 'content-length': body.length, ...SECURITY_HEADERS });
  response.end(request.method === 'HEAD' ? undefined : body);
};

const MISDIRECTED: Answer = {
  status: 421,
  text: 'this name is not answered: use the URL that sup dashboard has printed',
  headers: { connection: 'close' },
};

/**
 * Returns the answer to a GET of the WebSocket's path that opens no WebSocket. A page sends this GET to learn
 * if its cookie is still valid: the status is 426 with a valid cookie, else 401.
 */
const withoutUpgrade = ({ own, keys }: Served, { headers }: IncomingMessage): Answer => {
  const port = ownPort(headers.host, own);
  const isIn = port !== undefined && keys.hasCookie(headers.cookie, port);
  return isIn
    ? { status: 426, text: 'only a WebSocket is known here', headers: { upgrade: 'websocket' } }
    : { status: 401, text: 'no session: use the URL that sup dashboard has printed' };
};

const answerWithFile = ({ files }: Served, path: string, exchange: HttpExchange): void => {
  const { method } = exchange.request;
  const file = files.get(path);
  if (file === undefined) return end(exchange, { status: 404, text: 'not found' });
  if (method === 'GET' || method === 'HEAD') return sendFile(file, exchange);
  end(exchange, { status: 405, text: 'only GET is known here', headers: { allow: 'GET, HEAD' } });
};

const answer = (served: Served, exchange: HttpExchange): void => {
  const { headers, url } = exchange.request;
  if (ownPort(headers.host, served.own) === undefined) return end(exchange, MISDIRECTED);
  const [path = ''] = (url ?? '').split('?', 1);
  if (path === SESSION_PATH)
    return void exchanged(served, exchange.request).then((answered) => end(exchange, answered));
  if (path === SOCKET_PATH) return end(exchange, withoutUpgrade(served, exchange.request));
  answerWithFile(served, path, exchange);
};

export const requestListener =
  (served: Served): RequestListener =>
  (request, response) =>
    answer(served, { request, response });
