// C functions and constants for sockets that several files need (socket(2), unix(7)), for 64-bit machines.
import { writeWord } from '../libc/addon.ts';
import { cFunction, type CFunction, type Libc } from '../libc/libc.ts';

export const SOCKET: CFunction = cFunction('int', 'socket', 'int', 'int', 'int');
export const SETSOCKOPT: CFunction = cFunction('int', 'setsockopt', 'int', 'int', 'int', 'pointer', 'uint');
export const GETSOCKOPT: CFunction = cFunction(
  'int',
  'getsockopt',
  'int',
  'int',
  'int',
  'pointer',
  'pointer',
);
export const BIND: CFunction = cFunction('int', 'bind', 'int', 'pointer', 'uint');
export const RECVMSG: CFunction = cFunction('long', 'recvmsg', 'int', 'pointer', 'int');
const CLOSE = cFunction('int', 'close', 'int');

export const AF_UNIX = 1;
export const SOL_SOCKET = 1;
export const MSG_DONTWAIT = 0x40;
/** The flag of a received message that was cut off because it did not fit. */
export const MSG_TRUNC = 0x20;

/** Size of a pointer, bytes. */
export const WORD = 8;
/** Size of a C `int`, bytes. */
export const INT = 4;

/** Returns a Buffer that contains a C `int`. */
export const int = (value: number): Buffer => {
  const buffer = Buffer.alloc(INT);
  buffer.writeInt32LE(value);
  return buffer;
};

/** Returns the `struct sockaddr_un` of a path. */
export const unixName = (path: string): Buffer => {
  const name = Buffer.from(`\0\0${path}\0`);
  name.writeUInt16LE(AF_UNIX, 0);
  return name;
};

export const closeSocket = (libc: Libc, descriptor: number): void => void libc.ask(CLOSE, descriptor);

/** The size of a `struct msghdr`, and offsets of its fields. */
const HEADER_BYTES = 56;
const CONTROL_AT = 32;
const FLAGS_AT = 48;

interface Header {
  readonly header: Buffer;
  /** The Buffers that the header points to. They must stay referenced while the header is used. */
  readonly pointedTo: readonly Buffer[];
}

/** Returns the `struct msghdr` of a message and its control messages. */
export const headerOf = (libc: Libc, message: Buffer, control: Buffer): Header => {
  const parts = Buffer.alloc(2 * WORD);
  writeWord(parts, 0, libc.addressOf(message));
  writeWord(parts, WORD, message.length);
  const header = Buffer.alloc(HEADER_BYTES);
  writeWord(header, 2 * WORD, libc.addressOf(parts));
  writeWord(header, 3 * WORD, 1);
  writeWord(header, CONTROL_AT, libc.addressOf(control));
  writeWord(header, CONTROL_AT + WORD, control.length);
  return { header, pointedTo: [parts, message, control] };
};

/**
 * Does nothing, but must be called after the system call. Its argument refers to the Buffers, and so protects
 * them from garbage collection until the call.
 */
export const release = (pointedTo: readonly Buffer[]): number => pointedTo.length;

/** Returns how many bytes of control messages were received. */
export const controlBytesIn = (header: Buffer): number => header.readUInt32LE(CONTROL_AT + WORD);

/** Returns the flags of a received message. */
export const flagsIn = (header: Buffer): number => header.readUInt32LE(FLAGS_AT);
