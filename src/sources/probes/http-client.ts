// Sends GET requests over keep-alive connections, never through a proxy. Of the body of a bad answer, a
// report quotes only the beginning.
// Rules: `docs/behaviour.md`, "Health checks".
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { get as getSecurely, Agent as SecureAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { connect as connectSecurely } from 'node:tls';
import type { LocalPlace } from '../../streams/domain/service/port.ts';
import { maskedText } from '../../streams/views/words/masked-text.ts';

const EXCERPT_BYTES = 200;

/** Returns the beginning of an answer as one line. A character that is cut off at the end is left out. */
export const excerptIn = (answer: Buffer): string =>
  new StringDecoder('utf8').write(answer.subarray(0, EXCERPT_BYTES)).replaceAll(/\s+/g, ' ').trim();

export interface HttpResponse {
  readonly status: number;
  /** The address of the server if the server is on this machine; otherwise `undefined`. */
  readonly here: LocalPlace | undefined;
  /** The target of a redirect; `undefined` if the response is not a redirect. */
  readonly redirect: string | undefined;
  /** Returns the beginning of the body as one line. */
  excerpt(): Promise<string>;
  /** Reads the rest of the body and ignores it, so that the connection can be reused. */
  discard(): void;
}

export interface HttpClient {
  /**
   * Sends a GET request and resolves to the response. Rejects if no connection can be made, if the answer is
   * not HTTP, or if `signal` aborts before the response.
   */
  get(url: URL, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

/**
 * Maximum number of bytes of a body that are read to keep the connection. Reading more would cost more than a
 * new connection.
 */
const MAX_DISCARDED_BYTES = 64 * 1024;

export const httpClient = (): HttpClient => {
  const agents = {
    http: new Agent({ keepAlive: true }),
    https: new SecureAgent({ keepAlive: true }),
  };
  let last: IncomingMessage | undefined;
  return {
    get: async (url, signal) => {
      // The body of the last response may never end. Its connection is closed here; otherwise it would stay
      // open until the watch ends.
      if (last?.complete === false) last.destroy();
      last = await request(() => open(agents, url), signal);
      return responseOf(last);
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};

/** Sends one GET request over an existing connection and returns the response. */
export const getOver = async (socket: Socket, url: URL, signal: AbortSignal): Promise<HttpResponse> =>
  responseOf(await request(() => openOver(socket, url), signal));

interface Agents {
  readonly http: Agent;
  readonly https: SecureAgent;
}

const request = (begin: () => ClientRequest, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = begin();
    const abort = (): void => void sent.destroy(new Error('called off'));
    signal.addEventListener('abort', abort);
    sent.once('response', (response) => {
      // The attempt already has its response. A later error concerns only the body and is ignored.
      signal.removeEventListener('abort', abort);
      response.on('error', () => undefined);
      resolve(response);
    });
    sent.on('error', (error) => {
      // On a reused connection, an error can mean that the server closed the idle connection at this moment.
      // That says nothing about the health of the service, so the request is sent again.
      if (sent.reusedSocket && !signal.aborted) resolve(request(begin, signal));
      else reject(error);
    });
  });

const headers = { 'user-agent': 'sup health check', accept: '*/*' };

const open = (agents: Agents, url: URL): ClientRequest => {
  if (url.protocol === 'https:') return getSecurely(url, { agent: agents.https, headers });
  if (url.protocol === 'http:') return get(url, { agent: agents.http, headers });
  throw new Error(`${maskedText(url.href)} is neither http nor https`);
};

/** Returns the host of a URL. An IPv6 address is returned without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const openOver = (socket: Socket, url: URL): ClientRequest => {
  if (url.protocol === 'http:') return get(url, { headers, createConnection: () => socket });
  const host = hostOf(url);
  const secure = { socket, host, ...(isIP(host) === 0 && { servername: host }) };
  return getSecurely(url, { headers, createConnection: () => connectSecurely(secure) });
};

const responseOf = (message: IncomingMessage): HttpResponse => {
  const status = message.statusCode ?? 0;
  return {
    status,
    here: placeOf(message.socket),
    redirect: REDIRECTS.includes(status) ? message.headers.location : undefined,
    excerpt: () => excerptOf(message),
    discard: () => discard(message),
  };
};

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Returns the address of the server if the server is on this machine: both ends of the connection have the
 * same address, or the server has a loopback address.
 */
export const placeOf = ({
  remoteAddress: address,
  remotePort: port,
  localAddress,
}: Socket): LocalPlace | undefined => {
  if (address === undefined || port === undefined) return undefined;
  return LOOPBACK.test(address) || address === localAddress ? { address, port } : undefined;
};

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Resolves to the beginning of the body of a bad answer. If the connection breaks, resolves to the bytes that
 * have arrived.
 */
const excerptOf = (message: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let body = Buffer.alloc(0);
    const tell = (): void => resolve(excerptIn(body));
    message.on('data', (chunk: Buffer) => {
      body = Buffer.concat([body, chunk]);
      if (body.length >= EXCERPT_BYTES) message.destroy();
    });
    message.once('close', tell);
  });

const discard = (message: IncomingMessage): void => {
  let left = MAX_DISCARDED_BYTES;
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) message.destroy();
  });
};
