// Flags of new descriptors that are missing in Node's constants, and a function that opens pipes.
import { cFunction, type Libc } from './libc.ts';

/** The flag for close-on-exec. SOCK_CLOEXEC, EPOLL_CLOEXEC and EFD_CLOEXEC have the same value. */
export const O_CLOEXEC = 0o2_000_000;
/** The flag for reads and writes that do not block. SOCK_NONBLOCK and EFD_NONBLOCK have the same value. */
export const O_NONBLOCK = 0o4_000;

const PIPE = cFunction('int', 'pipe2', 'pointer', 'int');

/** Returns the ends of a new pipe. Both are close-on-exec. Throws `Refused`. */
export const openPipe = (libc: Libc): { readonly reading: number; readonly writing: number } => {
  const ends = Buffer.alloc(8);
  libc.call(PIPE, ends, O_CLOEXEC);
  return { reading: ends.readInt32LE(0), writing: ends.readInt32LE(4) };
};
