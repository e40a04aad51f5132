// Opens the ends of a FIFO. The child's end, which a service gets as its standard output or error, is open
// for reading and writing. So without a supervisor the service gets no SIGPIPE, and what it writes stays in
// the FIFO. The supervisor's end only reads and never blocks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../../os/errno.ts';
import type { Outlets } from '../../../streams/domain/ports.ts';

export interface End {
  readonly descriptor: number;
  /** Inode of the FIFO. It identifies the FIFO, because a new one may have the same path. */
  readonly inode: number;
}

/** Opens a FIFO. Only a path below `/proc` may be a link; it can open a FIFO whose own path was deleted. */
const openFifo = (path: string, flags: number): End => {
  const descriptor = openSync(path, path.startsWith('/proc/') ? flags : flags | constants.O_NOFOLLOW);
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { descriptor, inode: found.ino };
  closeSync(descriptor);
  throw new Error(`${path} is not a FIFO`);
};

/** Returns a path that opens the FIFO of this end again, even if the FIFO was deleted. */
export const ownEnd = ({ descriptor }: End): string => `/proc/self/fd/${descriptor}`;

/** Opens the child's end. Opening never blocks; reading and writing may. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR).descriptor;

/**
 * Opens the supervisor's end. Open the child's end first: the end of file is never reported if there was no
 * writer yet.
 */
export const openReaderEnd = (path: string): End => openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);

/**
 * Reads what is in the FIFO and fits, without waiting. Returns the number of bytes; 0 if the FIFO is empty.
 */
export const readNow = (descriptor: number, into: Buffer): number => {
  try {
    return readSync(descriptor, into);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0;
    throw error;
  }
};

export interface FifoReader extends End {
  /** Stops the reader and closes its descriptor. Unread output stays in the FIFO. */
  close(): void;
}

interface FifoEars {
  /** Returns the buffer for the next read. */
  buffer(): Buffer;
  /** Called when `length` bytes were read into the buffer. If it returns false, the reader stops for good. */
  received(length: number): boolean;
  /**
   * Called when reading ends. `isEmptied`: no writer is left and everything is read; false if reading failed.
   */
  end(isEmptied: boolean): void;
}

/** Returns a reader that only keeps this end of a FIFO open: nothing is read. */
export const heldOpen = (end: End): FifoReader => {
  let open = true;
  return {
    ...end,
    close: () => {
      if (open) closeSync(end.descriptor);
      open = false;
    },
  };
};

/** Reads a FIFO until no process has it open for writing and it is empty. */
export const readFrom = (end: End, ears: FifoEars): FifoReader => {
  let open = true;
  const over = (isEmptied: boolean): void => {
    if (!open) return;
    open = false;
    ears.end(isEmptied);
  };
  const failed = (): void => over(false);
  const options: SocketConstructorOpts & ConnectOpts = {
    fd: end.descriptor,
    readable: true,
    writable: false,
    onread: { buffer: () => ears.buffer(), callback: (length) => ears.received(length) },
  };
  const socket = new Socket(options);
  socket
    .on('end', () => over(true))
    .on('error', failed)
    .on('close', failed)
    .resume();
  return {
    ...end,
    close: () => {
      open = false;
      socket.destroy();
    },
  };
};

/**
 * Returns a function that closes the descriptors. Further calls do nothing, because the numbers may be
 * reused.
 */
const closer = (fds: readonly number[]): (() => void) => {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    for (const fd of fds) closeSync(fd);
  };
};

/** Opens standard output and error. If standard error cannot be opened, closes standard output. */
export const pairedOutlets = (openStdout: () => number, openStderr: () => number): Outlets => {
  const stdout = openStdout();
  try {
    const stderr = openStderr();
    return { stdout, stderr, close: closer([stdout, stderr]) };
  } catch (error) {
    closeSync(stdout);
    throw error;
  }
};

export const sharedOutlets = (fd: number): Outlets => ({ stdout: fd, stderr: fd, close: closer([fd]) });
