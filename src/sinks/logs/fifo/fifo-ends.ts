// Opens the ends of a FIFO. The service's end, its standard output or error, is open for reading and writing:
// without a supervisor it gets no SIGPIPE, and its output stays in the FIFO. The supervisor's end only reads
// and never blocks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../../os/errno.ts';
import type { Outlets } from '../../../streams/domain/ports.ts';

export interface End {
  readonly descriptor: number;
  /** Identifies the FIFO, since a new one may have the same path. */
  readonly inode: number;
}

/** Opens a FIFO. Only a path below `/proc` may be a link; it reaches a FIFO that was deleted. */
const openFifo = (path: string, flags: number): End => {
  const descriptor = openSync(path, path.startsWith('/proc/') ? flags : flags | constants.O_NOFOLLOW);
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { descriptor, inode: found.ino };
  closeSync(descriptor);
  throw new Error(`${path} is not a FIFO`);
};

/** Returns a path that opens the FIFO of this end again, even if it was deleted. */
export const ownEnd = ({ descriptor }: End): string => `/proc/self/fd/${descriptor}`;

/** Opens the service's end. Opening never blocks; reading and writing may. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR).descriptor;

/** Opens the supervisor's end, after the service's: without a writer the end of file is never reported. */
export const openReaderEnd = (path: string): End => openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** Reads what is in the FIFO and fits, without waiting. Returns the number of bytes. */
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
  /** Called with the bytes read into the buffer. False stops the reader for good. */
  received(length: number): boolean;
  /** Called when reading ends. `isEmptied`: no writer is left and all is read; else reading failed. */
  end(isEmptied: boolean): void;
}

/** Returns a reader that only keeps this end open and reads nothing. */
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

/** Reads a FIFO until it is empty and no process has it open for writing. */
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

/** Returns a function that closes the descriptors once: their numbers may be reused. */
const closer = (fds: readonly number[]): (() => void) => {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    for (const fd of fds) closeSync(fd);
  };
};

/** Opens standard output and error; if the second fails, closes the first. */
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
