// The ends of a FIFO. A child gets an end that is open for reading and writing, so that it neither blocks nor gets
// SIGPIPE, and nothing is lost, when the supervisor is gone. The supervisor's own end only reads, and never blocks.
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';

const openFifo = (path: string, flags: number): number => {
  const fd = openSync(path, flags | constants.O_NOFOLLOW);
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  throw new Error(`${path} is not a FIFO`);
};

/** A child's end. Opening it never blocks, reading and writing it may. */
export const openChildEnd = (path: string): number => openFifo(path, constants.O_RDWR);

export interface FifoReader {
  resume(): void;
  /** Stops reading. What was not read yet stays in the pipe. */
  close(): void;
}

/** Told what is read. `chunk` answers false to be left alone until `resume`; it must be done with the bytes when it returns. */
interface FifoEars {
  chunk(bytes: Buffer): boolean;
  /** No writer is left and everything is read, or reading failed. */
  end(): void;
}

/**
 * Reads a FIFO from now on, until its last writer is gone. To be opened after a child's end: an end that never met a
 * writer would wait for ever. All readers of one event loop may share `buffer`: each chunk is handled before the next read.
 */
export const openReader = (path: string, buffer: Buffer, ears: FifoEars): FifoReader => {
  const fd = openFifo(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let open = true;
  const end = (): void => {
    if (!open) return;
    open = false;
    ears.end();
  };
  const options: SocketConstructorOpts & ConnectOpts = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer, callback: (length) => ears.chunk(buffer.subarray(0, length)) },
  };
  const socket = new Socket(options);
  socket.on('end', end).on('error', end).on('close', end).resume();
  return {
    resume: () => {
      socket.resume();
    },
    close: () => {
      open = false;
      socket.destroy();
    },
  };
};
