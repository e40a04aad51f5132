// mkfifo(3): Node has no function for it, and running a program for one costs a process.
import { cFunction, Refused, type Libc } from '../libc.ts';
import { cString } from './memory.ts';

const MKFIFO = cFunction('int', 'mkfifo', 'pointer', 'uint');

/** Creates a FIFO for its owner alone. An existing file is left as it is. Throws `Refused`. */
export const makeFifo = (libc: Libc, path: string): void => {
  try {
    libc.call(MKFIFO, cString(path), 0o600);
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'EEXIST')) throw error;
  }
};
