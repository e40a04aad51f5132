// Relays between our terminal and the program's pseudoterminal: keys to it, its output to ours.
import { writeSync } from 'node:fs';
import type { SocketConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import { errnoOf } from '../../../os/errno.ts';

/** How our terminal handles keys. */
export interface Keys {
  /** Passes every key as a byte, without echo. */
  readonly raw: () => void;
  /** Undoes `raw`. */
  readonly restore: () => void;
}

interface Ends {
  /** Our side of the pseudoterminal. It does not block. */
  readonly master: number;
  /** Absent if standard input is no terminal: then no keys are relayed. */
  readonly keys?: Keys | undefined;
  /** Our descriptor that the output is written to. */
  readonly shown: number;
  /** Copies the window size of our terminal. */
  readonly resize: () => void;
}

export interface Relay {
  /** Call it when the program has ended: writes the remaining output and restores our terminal. */
  readonly over: () => Promise<void>;
}

const RETRY_MS = 5;
/** A background process may hold the pseudoterminal open for ever. */
const LAST_WORDS_MS = 500;

/** False if the write failed. */
const writeAll = async (descriptor: number, bytes: Buffer): Promise<boolean> => {
  for (let at = 0; at < bytes.length;)
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') return false;
      await pause(RETRY_MS);
    }
  return true;
};

const CHUNK_BYTES = 65_536;

interface Showing {
  /** Settles when all is written and the pseudoterminal closed. */
  readonly all: Promise<void>;
  readonly close: () => void;
}

/** Node supports `onread` for every socket, but its types lack it for terminals. */
type Options = NonNullable<ConstructorParameters<typeof ReadStream>[1]> & Pick<SocketConnectOpts, 'onread'>;

/** Copies output unbuffered: a destroyed stream loses its buffer, and a terminal ends with an error (EIO). */
const showing = (master: number, to: number): Showing => {
  let written = Promise.resolve();
  const carry = async (bytes: Buffer): Promise<void> => {
    await writeAll(to, bytes);
    // Not within the read callback: libuv would take the hang-up for the end, and the rest would be lost.
    setImmediate(() => theirs.resume());
  };
  const callback = (length: number, buffer: Uint8Array): boolean => {
    const bytes = Buffer.from(buffer.subarray(0, length));
    written = written.then(() => carry(bytes));
    return false;
  };
  const options: Options = { onread: { buffer: Buffer.alloc(CHUNK_BYTES), callback } };
  const theirs = new ReadStream(master, options);
  const over = new Promise<void>((settle) => {
    theirs.once('close', settle).on('error', () => theirs.destroy());
  });
  theirs.resume();
  return { all: over.then(() => written), close: () => theirs.destroy() };
};

/** Sends keys as they are typed, until the returned function is called. */
const typing = (to: number, { raw, restore }: Keys): (() => void) => {
  const { stdin } = process;
  let written = Promise.resolve(true);
  const type = (keys: Buffer): void => {
    written = written.then((open) => open && writeAll(to, keys));
  };
  const rest = (): void => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  raw();
  stdin.on('data', type).resume();
  process.on('SIGCONT', raw).on('SIGTSTP', rest);
  return () => {
    stdin.off('data', type).pause();
    process.off('SIGCONT', raw).off('SIGTSTP', rest);
    written = Promise.resolve(false);
    restore();
  };
};

/** Starts relaying. */
export const relay = ({ master, keys, shown, resize }: Ends): Relay => {
  const { all, close } = showing(master, shown);
  const end = keys && typing(master, keys);
  process.on('SIGWINCH', resize);
  return {
    over: async () => {
      process.off('SIGWINCH', resize);
      await Promise.race([all, pause(LAST_WORDS_MS, undefined, { ref: false })]);
      end?.();
      close();
    },
  };
};
