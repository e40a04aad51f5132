// Who connected to a unix socket: as the kernel saw it in the moment of the connection (`SO_PEERCRED`).
import { cFunction, type Libc } from '../libc.ts';

const GETSOCKOPT = cFunction('int', 'getsockopt', 'int', 'int', 'int', 'pointer', 'pointer');
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
/** `struct ucred`: pid, user, group. */
const CREDENTIALS_BYTES = 12;

interface Credentials {
  readonly pid: number;
  readonly uid: number;
}

/** Throws `Refused`: the descriptor is no such socket. */
export const credentialsOf = (libc: Libc, descriptor: number): Credentials => {
  const found = Buffer.alloc(CREDENTIALS_BYTES);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(CREDENTIALS_BYTES);
  libc.call(GETSOCKOPT, descriptor, SOL_SOCKET, SO_PEERCRED, found, length);
  return { pid: found.readInt32LE(0), uid: found.readUInt32LE(4) };
};
