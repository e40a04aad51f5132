// Relays bytes between the user's terminal and the program's pseudoterminal: keys to the program, output to
// the user.
import { writeSync } from 'node:fs';
import type { SocketConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import { errnoOf } from '../../../os/errno.ts';

/** Two modes of the user's terminal, between which the relay switches. */
export interface Keys {
  /** Switches the terminal to raw mode: every key is read as bytes, without echo. */
  readonly raw: () => void;
  /** Restores the terminal settings from before `raw`. */
  readonly restore: () => void;
}

interface Ends {
  /** The master side of the pseudoterminal, in non-blocking mode. */
  readonly master: number;
  /**
   * The modes of the user's terminal; absent if standard input is no terminal. Without them no keys are
   * relayed.
   */
  readonly keys?: Keys | undefined;
  /** Descriptor that the program's output is written to. */
  readonly shown: number;
  /** Copies the window size of the user's terminal to the pseudoterminal. */
  readonly resize: () => void;
}

export interface Relay {
  /**
   * Writes the remaining output and restores the user's terminal. Call this function when the program has
   * ended.
   */
  readonly over: () => Promise<void>;
}

const RETRY_MS = 5;
/**
 * How long to wait for more output after the program's end, ms. The wait is limited, because a background
 * process may keep the pseudoterminal open.
 */
const LAST_WORDS_MS = 500;

/** Writes all bytes. Resolves to false if a write failed. */
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
  /** Resolves when the pseudoterminal is closed and all output is written. */
  readonly all: Promise<void>;
  readonly close: () => void;
}

/**
 * Node supports the option `onread` for terminals too, but its types declare this option only for other
 * sockets.
 */
type Options = NonNullable<ConstructorParameters<typeof ReadStream>[1]> & Pick<SocketConnectOpts, 'onread'>;

/**
 * Copies the program's output. Uses no buffer of a stream, because the read error at the end (EIO) would
 * discard the content of the buffer.
 */
const showing = (master: number, to: number): Showing => {
  let written = Promise.resolve();
  const carry = async (bytes: Buffer): Promise<void> => {
    await writeAll(to, bytes);
    // The stream is resumed later and not within the read callback. Otherwise libuv would take the hang-up
    // for the end of the data and discard unread output.
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

/** Sends keys to the program as they are typed. Returns a function that restores the terminal. */
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

/** Starts to relay between the user's terminal and the pseudoterminal. */
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
