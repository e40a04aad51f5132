// Where the output of a budgeted command goes while it runs: a file without a name, gone with its last user. Unlike a
// socket it may be opened again as /dev/stderr, and nobody has to read along. It is cut when it grows beyond its bound.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Evidence } from '../../../streams/domain/errors/error.ts';

export interface Scratch {
  readonly descriptor: number;
  /** The last lines written, oldest first. */
  readonly lastLines: (count: number) => Evidence;
  readonly close: () => void;
}

/** What a command may print before the oldest of it is dropped, looked at every `CUT_EVERY_MS`. */
const MAX_BYTES = 1024 * 1024;
const CUT_EVERY_MS = 250;
const TAIL_BYTES = 16 * 1024;
/** Linux' `__O_TMPFILE`, which needs `O_DIRECTORY` beside it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** `undefined` where no such file can be made: then there is no evidence, and the command runs all the same. */
export const openScratch = (): Scratch | undefined => {
  try {
    return scratchOn(openSync(tmpdir(), O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600));
  } catch {
    return undefined;
  }
};

/** On a file that was opened by the program before this one in the same process. */
export const scratchOn = (descriptor: number): Scratch => {
  const cut = setInterval(() => {
    if (fstatSync(descriptor).size > MAX_BYTES) ftruncateSync(descriptor, 0);
  }, CUT_EVERY_MS);
  return {
    descriptor,
    lastLines: (count) => linesOf(tailOf(descriptor)).slice(-count),
    close: () => {
      clearInterval(cut);
      closeSync(descriptor);
    },
  };
};

const tailOf = (descriptor: number): string => {
  const { size } = fstatSync(descriptor);
  const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString('utf8', 0, read);
};

const linesOf = (text: string): Evidence => text.split(/\r?\n/).filter((line) => line !== '');
