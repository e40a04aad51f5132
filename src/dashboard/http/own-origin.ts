// Checks that a request is meant for this server and comes from a page of this server. With DNS rebinding a
// foreign site can point its own name at this machine, but the browser then sends the foreign name as `Host`
// and `Origin`.
import { isIP } from 'node:net';

/**
 * The names under which clients reach the server. For a Unix socket `port` is absent, because ssh may forward
 * any port to the socket.
 */
export interface OwnOrigin {
  readonly scheme: 'http' | 'https';
  readonly port?: number;
  readonly isOwnName: (name: string) => boolean;
}

const DEFAULT_PORT = { http: 80, https: 443 };

/** Matches a `Host` header: a name or a bracketed IPv6 address, then an optional port. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/;

/** Returns the name without brackets, and the port. Returns `undefined` if the text is not a host. */
const hostIn = (header: string, scheme: OwnOrigin['scheme']) => {
  const [, name, port] = HOST.exec(header) ?? [];
  if (name === undefined) return undefined;
  return { name: name.replace(/^\[|\]$/g, ''), port: Number(port ?? DEFAULT_PORT[scheme]) };
};

/** Returns the port of a `Host` header that names this server; otherwise `undefined`. */
export const ownPort = (header: string | undefined, own: OwnOrigin): number | undefined => {
  const host = header === undefined ? undefined : hostIn(header, own.scheme);
  if (host === undefined || !own.isOwnName(host.name)) return undefined;
  return own.port === undefined || host.port === own.port ? host.port : undefined;
};

interface Headers {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** True if the request comes from a page of this server; false without an `Origin`. */
export const isOwnOrigin = ({ host, origin }: Headers, own: OwnOrigin): boolean =>
  ownPort(host, own) !== undefined && origin === `${own.scheme}://${host ?? ''}`;

/** The names and addresses by which a machine reaches itself. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

export const isLoopbackName = (name: string): boolean => LOOPBACK_NAMES.includes(name);

export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
