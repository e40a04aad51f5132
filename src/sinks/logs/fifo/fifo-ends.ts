// Opens the ends of a FIFO. The service's end, its standard output or error, is open for reading and writing.
// So if the supervisor dies, the service gets no SIGPIPE, and its output stays in the FIFO. The supervisor's
// end is open for reading only and never blocks.
// Rules: `docs/behaviour.md`, "Output".
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../../os/errno.ts';
import type { Outlets } from '../../../streams/domain/ports.ts';

export interface End {
  readonly descriptor: number;
  /** The inode number. It identifies the FIFO, because a new FIFO may have the same path. */
  readonly inode: number;
}

/** Opens a FIFO. A link is followed only below `/proc`, where it leads to a FIFO that may be deleted. */
const openFifo = (path: string, flags: number): End => {
  const descriptor = openSync(path, path.startsWith('/proc/') ? flags : flags | constants.O_NOFOLLOW);
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { descriptor, inode: found.ino };
  closeSync(descriptor);
  throw new Error(`${path} is not a FIFO`);
};

/** Returns a path that opens the FIFO of this end again, even if it was deleted. */
export const ownEnd = ({ descriptor }: End): string => `/proc/self/fd/${descriptor}`;

/** Opens the service's end. Opening never blocks, but reading and writing may block. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR).descriptor;

/**
 * Opens the supervisor's end. The service's end must be opened first: as long as a FIFO has never had a
 * writer, its end of file is not reported.
 */
export const openReaderEnd = (path: string): End => openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** Reads as much from the FIFO as is there and fits, without waiting. Returns the number of bytes. */
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
  /** Called with the number of bytes that were read into the buffer. To return false ends the reading. */
  received(length: number): boolean;
  /**
   * Called when reading ends. `isEmptied`: true if no writer exists and all is read, false after an error.
   */
  end(isEmptied: boolean): void;
}

/** Returns a reader that reads nothing and only keeps the reading end open. */
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

/** Returns a function that closes the descriptors only once, because their numbers may be reused. */
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
