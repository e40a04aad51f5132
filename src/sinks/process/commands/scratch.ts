// The output of a budgeted command goes to a file without a name, which vanishes with its last descriptor.
// Unlike a socket it can be opened again as /dev/stderr and needs no reader. It is truncated when it exceeds
// its limit.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Evidence } from '../../../streams/domain/errors/error.ts';

export interface Scratch {
  readonly descriptor: number;
  /** The last lines written, oldest first. */
  readonly lastLines: (count: number) => Evidence;
  readonly close: () => void;
}

/** The size at which the file is truncated, checked every `CUT_EVERY_MS`. */
const MAX_BYTES = 1024 * 1024;
const CUT_EVERY_MS = 250;
const TAIL_BYTES = 16 * 1024;
/** Linux' `__O_TMPFILE`, which needs `O_DIRECTORY` as well. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** A new scratch file; `undefined` if none can be made: the command then runs without evidence. */
export const openScratch = (): Scratch | undefined => {
  try {
    return scratchOn(openSync(tmpdir(), O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600));
  } catch {
    return undefined;
  }
};

/** A scratch file on a descriptor that the program before this one in the same process opened. */
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
