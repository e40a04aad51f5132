// Unix datagram sockets, which Node does not support: opens a socket at a path, and reads datagrams with the
// identity of their sender (unix(7), SCM_CREDENTIALS).
import { O_CLOEXEC, O_NONBLOCK } from '../libc/descriptor-flags.ts';
import type { Libc } from '../libc/libc.ts';
import {
  AF_UNIX,
  BIND,
  closeSocket,
  flagsIn,
  headerOf,
  int,
  MSG_DONTWAIT,
  MSG_TRUNC,
  RECVMSG,
  release,
  SETSOCKOPT,
  SOCKET,
  SOL_SOCKET,
  unixName,
} from './socket-calls.ts';

const SOCK_DGRAM = 2;
const SO_PASSCRED = 16;
const SCM_CREDENTIALS = 2;

/** Returns a new close-on-exec socket at the path. Throws `Refused`, also if a file is at the path. */
export const openDatagramSocket = (libc: Libc, path: string): number => {
  const name = unixName(path);
  const descriptor = libc.call(SOCKET, AF_UNIX, SOCK_DGRAM | O_CLOEXEC | O_NONBLOCK, 0);
  try {
    libc.call(SETSOCKOPT, descriptor, SOL_SOCKET, SO_PASSCRED, int(1), 4);
    libc.call(BIND, descriptor, name, name.length);
    return descriptor;
  } catch (error) {
    closeSocket(libc, descriptor);
    throw error;
  }
};

export interface Datagram {
  readonly bytes: Buffer;
  /** The sender, as the kernel reports it. The pid is 0 if the sender is not in this pid namespace. */
  readonly pid: number;
  readonly uid: number;
}

/** The maximum size of a datagram, bytes. The content of a larger datagram is dropped. */
const LONGEST_DATAGRAM = 4096;

/** The offsets of fields in a control message: a `struct cmsghdr`, followed by a `struct ucred`. */
const TYPE_AT = 12;
const PID_AT = 16;
const UID_AT = 20;
/**
 * The size of the buffer for control messages, bytes. It has room only for the credentials. If a datagram
 * comes with descriptors, they do not fit, so the kernel closes them.
 */
const CONTROL_BYTES = 32;

/** Returns a function that reads the next datagram of a socket; `undefined` if there is none. */
export const datagramReader = (libc: Libc): ((descriptor: number) => Datagram | undefined) => {
  const message = Buffer.alloc(LONGEST_DATAGRAM);
  const control = Buffer.alloc(CONTROL_BYTES);
  return (descriptor) => {
    const { header, pointedTo } = headerOf(libc, message, control.fill(0));
    const { value } = libc.ask(RECVMSG, descriptor, header, MSG_DONTWAIT);
    release(pointedTo);
    if (value === -1) return undefined;
    const isCut = (flagsIn(header) & MSG_TRUNC) !== 0;
    const isKnown = control.readInt32LE(TYPE_AT) === SCM_CREDENTIALS;
    return {
      bytes: Buffer.from(message.subarray(0, isCut ? 0 : value)),
      pid: isKnown ? control.readInt32LE(PID_AT) : 0,
      uid: control.readUInt32LE(UID_AT),
    };
  };
};
