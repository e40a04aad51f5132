// Flags of new descriptors that Node's constants lack, and pipes.
import { cFunction, type Libc } from './libc.ts';

/** Close-on-exec. SOCK_CLOEXEC, EPOLL_CLOEXEC and EFD_CLOEXEC have the same value. */
export const O_CLOEXEC = 0o2_000_000;
/** Reads and writes do not block. SOCK_NONBLOCK and EFD_NONBLOCK have the same value. */
export const O_NONBLOCK = 0o4_000;

const PIPE = cFunction('int', 'pipe2', 'pointer', 'int');

/** Returns the ends of a new pipe. Both are close-on-exec. Throws `Refused`. */
export const openPipe = (libc: Libc): { readonly reading: number; readonly writing: number } => {
  const ends = Buffer.alloc(8);
  libc.call(PIPE, ends, O_CLOEXEC);
  return { reading: ends.readInt32LE(0), writing: ends.readInt32LE(4) };
};
