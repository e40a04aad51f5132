// The ends of a FIFO. A child gets an end that is open for reading and writing, so that it neither blocks nor gets
// SIGPIPE, and nothing is lost, when the supervisor is gone. The supervisor's own end only reads, and never blocks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';
import { errnoOf } from '../../../os/errno.ts';

export interface End {
  readonly descriptor: number;
  /** Of the FIFO: one that was made anew has the same path. */
  readonly inode: number;
}

/** A FIFO that may have no name any more is opened through a process that has it: that is a link. */
const openFifo = (path: string, flags: number): End => {
  const descriptor = openSync(path, path.startsWith('/proc/') ? flags : flags | constants.O_NOFOLLOW);
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { descriptor, inode: found.ino };
  closeSync(descriptor);
  throw new Error(`${path} is not a FIFO`);
};

/** The FIFO that this process holds by this end, as a path. */
export const ownEnd = ({ descriptor }: End): string => `/proc/self/fd/${descriptor}`;

/** A child's end. Opening it never blocks, reading and writing it may. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR).descriptor;

/** The supervisor's end. To be opened after a child's: an end that never met a writer would wait for ever. */
export const openReaderEnd = (path: string): End => openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** As much as is in it and fits, without waiting: 0 when it is empty. */
export const readNow = (descriptor: number, into: Buffer): number => {
  try {
    return readSync(descriptor, into);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0;
    throw error;
  }
};

export interface FifoReader extends End {
  /** Stops reading. What was not read yet stays in the pipe. */
  close(): void;
}

interface FifoEars {
  /** Where the next read goes. */
  buffer(): Buffer;
  /** So much was read. Answers false to be left alone for good. */
  received(length: number): boolean;
  /** No writer is left and everything is read (`isEmptied`), or reading failed. */
  end(isEmptied: boolean): void;
}

/** Not read, and not given back. */
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

/** Reads from now on, until the last writer is gone. */
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
