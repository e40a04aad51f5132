// Serves the metrics over HTTP (`sup supervise --metrics-listen`): one read-only page (`docs/metrics.md`,
// "For monitoring systems"). Only requests with this machine in their `Host` header are answered, because of
// DNS rebinding: a web page can make its own host name resolve to this machine, but then the browser sends
// that name in the header.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { type Ms, seconds } from '../../streams/domain/time.ts';
import type { MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import { CONTENT_TYPE, openMetrics } from './open-metrics.ts';

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

const nameIn = (header: string): string => {
  const [, bracketed, bare = ''] = HOST.exec(header) ?? [];
  return (bracketed ?? bare).toLowerCase().replace(/\.$/, '');
};

/**
 * True if the `Host` header is this machine's name, `localhost`, a declared name or any IP address: DNS
 * rebinding cannot use an address. Browsers always send the header, so a request without it is allowed.
 */
const isAllowedHost = (header: string | undefined, declared: readonly string[]): boolean => {
  if (header === undefined) return true;
  const name = nameIn(header);
  return isIP(name) !== 0 || ['localhost', hostname(), ...declared].some((own) => own.toLowerCase() === name);
};

export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
  /**
   * Names that are accepted in the `Host` header of a request, besides addresses, `localhost` and the name of
   * this machine.
   */
  readonly names?: readonly string[];
}

const PATH = '/metrics';
/** How long a client may take to send its request and read the answer. */
const PATIENCE = seconds(10);
/** The maximum number of clients at a time. For a further client, the oldest is disconnected. */
const MOST_CLIENTS = 32;

const MISDIRECTED = 'this name is not answered; allow it with sup supervise --metrics-host <name>\n';

const answer =
  (read: () => MetricsDocument, names: readonly string[]): RequestListener =>
  (request, response) => {
    // With keep-alive, answers to a client that does not read would pile up in memory.
    response.shouldKeepAlive = false;
    // The path may be any text, not always a valid URL.
    const [pathname] = (request.url ?? '').split('?', 1);
    const plain = { 'content-type': 'text/plain; charset=utf-8' };
    if (!isAllowedHost(request.headers.host, names))
      return void response.writeHead(421, plain).end(MISDIRECTED);
    if (pathname !== PATH) return void response.writeHead(404, plain).end(`only ${PATH} is here\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('only GET is known here\n');
    try {
      const text = openMetrics(read());
      response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(request.method === 'HEAD' ? '' : text);
    } catch (error) {
      response.writeHead(500, plain).end(`${String(error)}\n`);
    }
  };

const limited = (patience: Ms): ((client: Socket) => void) => {
  const clients = new Set<Socket>();
  return (client) => {
    const late = setTimeout(() => client.destroy(), patience);
    client.once('close', () => {
      clearTimeout(late);
      clients.delete(client);
    });
    const [oldest] = clients;
    if (clients.size >= MOST_CLIENTS) oldest?.destroy();
    clients.add(client);
  };
};

/** Resolves with a function that closes the listening server. Rejects if the address is not available. */
export const listenForMetrics = async (
  place: MetricsPlace,
  read: () => MetricsDocument,
  patience = PATIENCE,
): Promise<() => Promise<void>> => {
  const server = createServer(answer(read, place.names ?? []));
  server.maxRequestsPerSocket = 1;
  server.on('connection', limited(patience));
  server.listen({ host: place.host, port: place.port });
  await once(server, 'listening');
  // A later error, such as the lack of a free descriptor, affects only one client, so it is ignored.
  server.on('error', () => undefined);
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
};

const LOOPBACK = '127.0.0.1';
const WRITTEN = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/;
const HIGHEST_PORT = 65_535;

const hostOf = (bracketed: string | undefined, bare: string): string | undefined => {
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined;
  if (bare === '' || bare === 'localhost') return LOOPBACK;
  return isIP(bare) === 4 ? bare : undefined;
};

/** Returns the host and port, or `undefined` for an invalid text. `localhost` is the only name allowed. */
export const listenPlace = (written: string): MetricsPlace | undefined => {
  const found = WRITTEN.exec(written);
  if (found === null) return undefined;
  const host = hostOf(found[1], found[2] ?? '');
  const port = Number(found[3]);
  return host === undefined || port < 1 || port > HIGHEST_PORT ? undefined : { host, port };
};
