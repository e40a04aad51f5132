// The ends of a FIFO. A child's end, which it gets as its standard output or error, is open for reading and
// writing: without a supervisor it neither blocks nor gets SIGPIPE, and nothing is lost. The supervisor's end
// only reads, and never blocks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../../os/errno.ts';
import type { Outlets } from '../../../streams/domain/ports.ts';

export interface End {
  readonly descriptor: number;
  /** Inode of the FIFO: a new FIFO may have the same path. */
  readonly inode: number;
}

/** Opens a FIFO. One that may have lost its name is opened through `/proc`, which is a link. */
const openFifo = (path: string, flags: number): End => {
  const descriptor = openSync(path, path.startsWith('/proc/') ? flags : flags | constants.O_NOFOLLOW);
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { descriptor, inode: found.ino };
  closeSync(descriptor);
  throw new Error(`${path} is not a FIFO`);
};

/** A path to the FIFO that this process holds by this end. */
export const ownEnd = ({ descriptor }: End): string => `/proc/self/fd/${descriptor}`;

/** Opens a child's end. Opening never blocks, reading and writing may. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR).descriptor;

/**
 * Opens the supervisor's end. Open a child's end first: an end that never met a writer would wait forever.
 */
export const openReaderEnd = (path: string): End => openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** Reads what is there and fits, without waiting: 0 when empty. */
export const readNow = (descriptor: number, into: Buffer): number => {
  try {
    return readSync(descriptor, into);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0;
    throw error;
  }
};

export interface FifoReader extends End {
  /** Stops reading. Unread output stays in the pipe. */
  close(): void;
}

interface FifoEars {
  /** Where the next read goes. */
  buffer(): Buffer;
  /** Handles this many bytes; false stops reading for good. */
  received(length: number): boolean;
  /** No writer is left and everything is read (`isEmptied`), or reading failed. */
  end(isEmptied: boolean): void;
}

/** A reader that holds its end open and does not read. */
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

/** Reads until the last writer is gone. */
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

/** Closes the descriptors once: their numbers may be reused later. */
const closer = (fds: readonly number[]): (() => void) => {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    for (const fd of fds) closeSync(fd);
  };
};

/** Opens both; when the second fails, the first is closed. */
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
