// Relays between a terminal of ours and one that somebody else works on: keys to it, what it shows to ours.
import { writeSync } from 'node:fs';
import type { SocketConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import { errnoOf } from '../../../os/errno.ts';

/** How our terminal treats its keys. */
export interface Keys {
  /** Each is a byte, unechoed, whatever it means. */
  readonly raw: () => void;
  /** As it was before. */
  readonly restore: () => void;
}

interface Ends {
  /** Our side of the other terminal. It does not block. */
  readonly master: number;
  /** Absent: standard input is no terminal, and no keys are relayed. */
  readonly keys?: Keys | undefined;
  /** Where on our side is shown what the other terminal shows. */
  readonly shown: number;
  /** The other terminal gets the size of ours. */
  readonly resize: () => void;
}

export interface Relay {
  /** Nobody works on the other terminal any more: what it still has to show is shown, and ours is as it was. */
  readonly over: () => Promise<void>;
}

const RETRY_MS = 5;
/** Someone in the background may hold the other terminal for ever. */
const LAST_WORDS_MS = 500;

/** False: nobody takes it any more. */
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
  /** All is shown, and nobody has the other terminal open. */
  readonly all: Promise<void>;
  readonly close: () => void;
}

/** Node knows it of every socket, and its types of none that is a terminal. */
type Options = NonNullable<ConstructorParameters<typeof ReadStream>[1]> & Pick<SocketConnectOpts, 'onread'>;

/** Nothing waits in a stream: one that is destroyed loses what waits in it, and the end of a terminal is an error (EIO). */
const showing = (master: number, to: number): Showing => {
  let written = Promise.resolve();
  const carry = async (bytes: Buffer): Promise<void> => {
    await writeAll(to, bytes);
    // Not within the read that brought them: libuv takes the hang-up of the other side for the end then, and the rest is lost.
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

/** Keys as they are typed, until the returned function is called. */
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

/** Begins at once. */
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
