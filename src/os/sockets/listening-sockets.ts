// Opens listening sockets that do not accept connections, unlike Node's servers, which accept at once. Also
// duplicates a descriptor of another process (`pidfd_getfd`, Linux 5.6).
import { lstatSync, rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { errnoOf } from '../errno.ts';
import { O_CLOEXEC, O_NONBLOCK } from '../libc/descriptor-flags.ts';
import { cFunction, type Libc } from '../libc/libc.ts';
import {
  AF_UNIX,
  BIND,
  closeSocket,
  GETSOCKOPT,
  int,
  SETSOCKOPT,
  SOCKET,
  SOL_SOCKET,
  unixName,
} from './socket-calls.ts';

/** An address as a manifest declares it: IP address and port, or a path. */
type ListenAddress =
  | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
  | { readonly tag: 'unix'; readonly path: string };

const GETSOCKNAME = cFunction('int', 'getsockname', 'int', 'pointer', 'pointer');
const CONNECT = cFunction('int', 'connect', 'int', 'pointer', 'uint');
const LISTEN = cFunction('int', 'listen', 'int', 'int');
const SYSCALL = cFunction('long', 'syscall', 'long', 'int', 'int', 'uint');

const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
const SO_REUSEADDR = 2;
const SO_ACCEPTCONN = 30;
const PIDFD_OPEN = 434;
const PIDFD_GETFD = 438;
const LONGEST_NAME = 128;

/** Returns the 16-bit words of a part of an IPv6 address. The last part may be an IPv4 address: two words. */
const wordsIn = (part: string): readonly number[] => {
  if (!part.includes('.')) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
};

/** Returns the sixteen bytes of an IPv6 address such as `1:2::3` or `::ffff:127.0.0.1`. */
const bytesOfIPv6 = (host: string): readonly number[] => {
  const [head = '', tail] = host.split('::');
  const words = (text: string): readonly number[] => (text === '' ? [] : text.split(':').flatMap(wordsIn));
  const [front, back] = [words(head), words(tail ?? '')];
  const gap = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...gap, ...back].flatMap((word) => [word >> 8, word & 0xff]);
};

/** Returns the interface index of a zone (`eth0` in `fe80::1%eth0`); 0 if there is no such interface. */
const scopeOf = (zone: string): number => {
  if (/^\d+$/.test(zone)) return Number(zone);
  const six = networkInterfaces()[zone]?.find(({ family }) => family === 'IPv6');
  return six?.scopeid ?? 0;
};

const tcpName = (host: string, port: number): Buffer => {
  const [address = '', zone = ''] = host.split('%');
  const name = Buffer.alloc(isIPv6(host) ? 28 : 16);
  name.writeUInt16LE(isIPv6(host) ? AF_INET6 : AF_INET, 0);
  name.writeUInt16BE(port, 2);
  if (isIPv6(host)) {
    Buffer.from(bytesOfIPv6(address)).copy(name, 8);
    name.writeUInt32LE(scopeOf(zone), 24);
  } else Buffer.from(address.split('.').map(Number)).copy(name, 4);
  return name;
};

/** Returns the `struct sockaddr` of an address. */
const nameOf = (address: ListenAddress): Buffer =>
  address.tag === 'tcp' ? tcpName(address.host, address.port) : unixName(address.path);

const isSocketFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;

/**
 * True if no process listens at the path. If connect(2) reports EAGAIN (full backlog) or EPROTOTYPE (another
 * socket type), a process listens.
 */
const isRefused = (libc: Libc, address: ListenAddress): boolean => {
  const name = nameOf(address);
  const descriptor = libc.call(SOCKET, AF_UNIX, SOCK_STREAM | O_CLOEXEC | O_NONBLOCK, 0);
  try {
    libc.call(CONNECT, descriptor, name, name.length);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ECONNREFUSED';
  } finally {
    closeSocket(libc, descriptor);
  }
};

/** Removes the path if it is a unix socket on which no process listens. Throws if it cannot be removed. */
export const clearAway = (libc: Libc, address: ListenAddress): void => {
  if (address.tag === 'tcp' || !isSocketFile(address.path) || !isRefused(libc, address)) return;
  rmSync(address.path, { force: true });
};

/**
 * Returns a new listening socket, which is close-on-exec. First removes a stale socket at the path, if any.
 * Throws `Refused`.
 */
export const listenOn = (libc: Libc, address: ListenAddress, backlog: number): number => {
  clearAway(libc, address);
  const name = nameOf(address);
  const descriptor = libc.call(SOCKET, name.readUInt16LE(0), SOCK_STREAM | O_CLOEXEC, 0);
  try {
    if (address.tag === 'tcp') libc.call(SETSOCKOPT, descriptor, SOL_SOCKET, SO_REUSEADDR, int(1), 4);
    libc.call(BIND, descriptor, name, name.length);
    libc.call(LISTEN, descriptor, backlog);
    return descriptor;
  } catch (error) {
    closeSocket(libc, descriptor);
    throw error;
  }
};

/** True if the descriptor is a socket that listens at the address. */
export const listensAt = (libc: Libc, descriptor: number, address: ListenAddress): boolean => {
  const accepts = int(0);
  if (libc.ask(GETSOCKOPT, descriptor, SOL_SOCKET, SO_ACCEPTCONN, accepts, int(4)).value === -1) return false;
  const [found, wanted] = [Buffer.alloc(LONGEST_NAME), nameOf(address)];
  const named = libc.ask(GETSOCKNAME, descriptor, found, int(LONGEST_NAME)).value !== -1;
  return named && accepts.readInt32LE() === 1 && found.subarray(0, wanted.length).equals(wanted);
};

/**
 * Returns a duplicate of another process's descriptor. Throws `Refused`, with EPERM if this process may not
 * trace the other process.
 */
export const descriptorOf = (libc: Libc, pid: number, descriptor: number): number => {
  const process = libc.call(SYSCALL, PIDFD_OPEN, pid, 0, 0);
  try {
    return libc.call(SYSCALL, PIDFD_GETFD, process, descriptor, 0);
  } finally {
    closeSocket(libc, process);
  }
};
