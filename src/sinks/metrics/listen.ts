// Serves the measurements over HTTP, where somebody asked for that (`sup supervise --metrics-listen`): one page, read only.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { seconds, type Ms } from '../../streams/domain/time.ts';
import type { MetricsDocument } from '../../streams/wire/documents/documents.ts';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

const PATH = '/metrics';
/** One that has not sent its request and read its answer by then is shown out: there is room for others. */
const PATIENCE = seconds(10);
const MOST_CLIENTS = 32;

const answer =
  (read: () => MetricsDocument): RequestListener =>
  (request, response) => {
    // What else was sent on its connection is not answered: who reads nothing would have it all kept for him.
    response.shouldKeepAlive = false;
    // Whatever somebody sent: it need not be an address.
    const [pathname] = (request.url ?? '').split('?', 1);
    const plain = { 'content-type': 'text/plain; charset=utf-8' };
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

const showOut = (client: Socket, patience: Ms): void => {
  const late = setTimeout(() => client.destroy(), patience);
  client.once('close', () => clearTimeout(late));
};

/** Settles once it listens, with how to end it. Rejects when the address is not to be had. */
export const listenForMetrics = async (
  place: ListenPlace,
  read: () => MetricsDocument,
  patience = PATIENCE,
): Promise<() => Promise<void>> => {
  const server = createServer(answer(read));
  server.maxConnections = MOST_CLIENTS;
  server.maxRequestsPerSocket = 1;
  server.on('connection', (client: Socket) => showOut(client, patience));
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
