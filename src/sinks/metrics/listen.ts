// Serves the measurements over HTTP, if that is asked for (`sup supervise --metrics-listen`): one page, read only.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { seconds, type Ms } from '../../streams/domain/time.ts';
import type { MetricsDocument } from '../../streams/wire/documents/documents.ts';
import { isAllowedHost } from './allowed-host.ts';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** Names under which it may be asked for, besides addresses, `localhost` and the name of this machine. */
  readonly names?: readonly string[];
}

const PATH = '/metrics';
/** A client that has not sent its request and read its answer by then is disconnected. */
const PATIENCE = seconds(10);
/** One more takes the place of the oldest, which has had more time than any that asks needs. */
const MOST_CLIENTS = 32;

const MISDIRECTED = 'this name is not answered; allow it with sup supervise --metrics-host <name>\n';

const answer =
  (read: () => MetricsDocument, names: readonly string[]): RequestListener =>
  (request, response) => {
    // What else was sent on its connection is not answered: who reads nothing would have it all kept for him.
    response.shouldKeepAlive = false;
    // Whatever somebody sent: it need not be an address.
    const [pathname] = (request.url ?? '').split('?', 1);
    const plain = { 'content-type': 'text/plain; charset=utf-8' };
    if (!isAllowedHost(request.headers.host, names))
      return void response.writeHead(421, plain).end(MISDIRECTED);
    if (pathname !== PATH) return void response.writeHead(404, plain).end(`only ${PATH} is here\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('only GET is known here\n');
    // The library is loaded by the first who asks: nobody else pays for it.
    import('./open-metrics.ts')
      .then(async ({ openMetrics, CONTENT_TYPE }) => {
        const text = await openMetrics(read());
        response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(request.method === 'HEAD' ? '' : text);
      })
      .catch((error: unknown) => response.writeHead(500, plain).end(`${String(error)}\n`));
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

/** Settles once it listens, with how to end it. Rejects when the address is not to be had. */
export const listenForMetrics = async (
  place: ListenPlace,
  read: () => MetricsDocument,
  patience = PATIENCE,
): Promise<() => Promise<void>> => {
  const server = createServer(answer(read, place.names ?? []));
  server.maxRequestsPerSocket = 1;
  server.on('connection', limited(patience));
  server.listen({ host: place.host, port: place.port });
  await once(server, 'listening');
  // Later ones (out of descriptors) cost one client, no more.
  server.on('error', () => undefined);
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
};
