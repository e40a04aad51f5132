// The listening server: TCP on loopback, TLS on any address, or a Unix socket.
// Rules: `docs/behaviour.md`, "Control channel".
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, isIP, isIPv6 } from 'node:net';
import { errnoOf } from '../../os/errno.ts';
import { failedWith } from '../../client/client-failure.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { clearSocket, listenPrivately } from './dashboard-socket.ts';
import { isLoopbackName, type OwnOrigin } from './own-origin.ts';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface PortPlace {
  readonly address: string;
  readonly port: number;
  /**
   * Decides what happens if the port is in use. If true, listening fails. If false, the server takes any free
   * port.
   */
  readonly isFixed: boolean;
  readonly tls?: TlsFiles;
}

export type DashboardPlace = PortPlace | { readonly path: string };

/** The default port. In examples it is also the local port that `ssh` forwards to a Unix socket. */
export const USUAL_PORT = 9465;

/** Limits that disconnect slow HTTP clients, ms. `page-sockets.ts` has the limits of WebSockets. */
const LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};
const IDLE_MS = 10_000;
const MOST_CONNECTIONS = 256;

interface Listening {
  readonly server: Server;
  readonly own: OwnOrigin;
  /** The URL of the page without a token. */
  readonly url: string;
}

const read = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw failedWith({ code: 'ERR0240', place: file, detail: messageOf(error) });
  }
};

interface Secured {
  readonly server: Server;
  /** True if the certificate is valid for this name. */
  readonly isOwnName: (name: string) => boolean;
  /** The first DNS name in the certificate. */
  readonly name: string;
}

const secured = ({ cert, key }: TlsFiles): Secured => {
  const files = { cert: read(cert), key: read(key) };
  try {
    const certificate = new X509Certificate(files.cert);
    const server = createTlsServer({ ...LIMITS, ...files, minVersion: 'TLSv1.2', handshakeTimeout: IDLE_MS });
    const isOwnName = (name: string): boolean =>
      (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
    const [, name = 'localhost'] = /DNS:([a-z0-9.-]+)/.exec(certificate.subjectAltName ?? '') ?? [];
    return { server, isOwnName, name };
  } catch (error) {
    throw failedWith({ code: 'ERR0240', place: cert, detail: messageOf(error) });
  }
};

/** Makes the server close idle connections, and limits the number of connections. */
const bounded = (server: Server): Server => {
  server.maxConnections = MOST_CONNECTIONS;
  return server.setTimeout(IDLE_MS);
};

/**
 * Resolves to true when the server listens, to false if the address is in use. Other failures throw ERR0240.
 */
const isListening = async (server: Server, listen: () => void, place: string): Promise<boolean> => {
  try {
    listen();
    await once(server, 'listening');
  } catch (error) {
    if (errnoOf(error) === 'EADDRINUSE') return false;
    throw failedWith({ code: 'ERR0240', place, detail: messageOf(error) });
  }
  // An error after the server listens, such as no free descriptor, concerns only the client that is being
  // accepted.
  server.on('error', () => undefined);
  return true;
};

/** Listens, and resolves to the port. If the given port is in use and not fixed, this is any free port. */
const onPort = async (server: Server, { address, port, isFixed }: PortPlace): Promise<number> => {
  const place = `${address}:${port}`;
  const tryPort = (number: number): Promise<boolean> =>
    isListening(server, () => server.listen({ host: address, port: number }), place);
  if (!(await tryPort(port)) && (isFixed || !(await tryPort(0))))
    throw failedWith({ code: 'ERR0240', place, detail: 'the port is in use' });
  return (server.address() as AddressInfo).port;
};

const inUrl = (name: string): string => (isIPv6(name) ? `[${name}]` : name);

const listenOnPort = async (place: PortPlace): Promise<Listening> => {
  const { address, tls } = place;
  const own = (name: string): boolean =>
    name === address || (address === '127.0.0.1' && name === 'localhost');
  const { server, isOwnName, name } =
    tls === undefined ? { server: createServer(LIMITS), isOwnName: own, name: address } : secured(tls);
  const port = await onPort(bounded(server), place);
  const scheme = tls === undefined ? 'http' : 'https';
  const shown = isOwnName(address) ? address : name;
  return { server, own: { scheme, port, isOwnName }, url: `${scheme}://${inUrl(shown)}:${port}/` };
};

const listenOnSocket = async (path: string): Promise<Listening> => {
  await clearSocket(path);
  const server = bounded(createServer(LIMITS));
  if (!(await isListening(server, () => listenPrivately(server, path), path)))
    throw failedWith({ code: 'ERR0240', place: path, detail: 'it is in use' });
  return {
    server,
    own: { scheme: 'http', isOwnName: isLoopbackName },
    url: `http://127.0.0.1:${USUAL_PORT}/`,
  };
};

/** Listens at a port or a Unix socket. Rejects with ERR0240 if that is not possible. */
export const listenForPages = (place: DashboardPlace): Promise<Listening> =>
  'path' in place ? listenOnSocket(place.path) : listenOnPort(place);
