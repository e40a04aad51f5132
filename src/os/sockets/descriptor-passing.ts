// Passes descriptors to another process over a unix socket (unix(7), SCM_RIGHTS), in whole messages.
import { writeWord } from '../libc/addon.ts';
import { O_CLOEXEC } from '../libc/descriptor-flags.ts';
import { cFunction, Refused, type Libc } from '../libc/libc.ts';
import {
  AF_UNIX,
  controlBytesIn,
  flagsIn,
  headerOf,
  INT,
  MSG_DONTWAIT,
  MSG_TRUNC,
  RECVMSG,
  release,
  SOL_SOCKET,
  WORD,
} from './socket-calls.ts';

const SOCKETPAIR = cFunction('int', 'socketpair', 'int', 'int', 'int', 'pointer');
const SENDMSG = cFunction('long', 'sendmsg', 'int', 'pointer', 'int');

const KINDS = { stream: 1, messages: 5 } as const;
const SCM_RIGHTS = 1;
const MSG_NOSIGNAL = 0x4000;
const MSG_CMSG_CLOEXEC = 0x4000_0000;
/**
 * The flags of a received message that is not complete: the message (MSG_TRUNC) or its descriptors
 * (MSG_CTRUNC) did not fit into the buffers.
 */
const MSG_CUT_OFF = MSG_TRUNC | 0x08;

/** The offset of the descriptors in a control message, after the `struct cmsghdr`. */
const RIGHTS_AT = 16;
/** Maximum number of descriptors in one message, as in the kernel. */
const MOST_DESCRIPTORS = 253;
const LONGEST_MESSAGE = 65_536;

/** Returns the two ends of a new socket pair. Both ends are close-on-exec. */
export const socketPair = (libc: Libc, kind: keyof typeof KINDS): readonly [number, number] => {
  const ends = Buffer.alloc(2 * INT);
  libc.call(SOCKETPAIR, AF_UNIX, KINDS[kind] | O_CLOEXEC, 0, ends);
  return [ends.readInt32LE(0), ends.readInt32LE(INT)];
};

interface Handed {
  readonly message: Buffer;
  readonly descriptors: readonly number[];
}

const rightsOf = (descriptors: readonly number[]): Buffer => {
  const length = RIGHTS_AT + descriptors.length * INT;
  const control = Buffer.alloc(Math.ceil(length / WORD) * WORD);
  writeWord(control, 0, length);
  control.writeInt32LE(SOL_SOCKET, WORD);
  control.writeInt32LE(SCM_RIGHTS, WORD + INT);
  descriptors.forEach((descriptor, at) => control.writeInt32LE(descriptor, RIGHTS_AT + at * INT));
  return control;
};

/** Sends a message with descriptors. Never blocks. Throws `Refused`. */
export const handOver = (libc: Libc, socket: number, { message, descriptors }: Handed): void => {
  const { header, pointedTo } = headerOf(libc, message, rightsOf(descriptors));
  try {
    libc.call(SENDMSG, socket, header, MSG_DONTWAIT | MSG_NOSIGNAL);
  } finally {
    release(pointedTo);
  }
};

const rightsIn = (header: Buffer, control: Buffer): readonly number[] => {
  if (controlBytesIn(header) < RIGHTS_AT) return [];
  const count = (control.readUInt32LE(0) - RIGHTS_AT) / INT;
  return Array.from({ length: count }, (_, at) => control.readInt32LE(RIGHTS_AT + at * INT));
};

/** Blocks until the next message and returns it; `undefined` if the other end is closed. Throws `Refused`. */
export const takeOver = (libc: Libc, socket: number): Handed | undefined => {
  const message = Buffer.alloc(LONGEST_MESSAGE);
  const control = Buffer.alloc(RIGHTS_AT + Math.ceil(MOST_DESCRIPTORS / 2) * WORD);
  const { header, pointedTo } = headerOf(libc, message, control);
  const { value, errno } = libc.ask(RECVMSG, socket, header, MSG_CMSG_CLOEXEC);
  release(pointedTo);
  if (value === -1) throw new Refused('recvmsg', errno);
  if ((flagsIn(header) & MSG_CUT_OFF) !== 0) throw new Error('a message was cut off');
  return value === 0
    ? undefined
    : { message: message.subarray(0, value), descriptors: rightsIn(header, control) };
};
