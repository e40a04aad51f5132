// A line of a manifest as it is now, to stand above the caret of a problem that the supervisor found in it.
import { statSync } from 'node:fs';
import { readAtOnce } from '../../../os/files/own-file.ts';

/** Nobody writes a larger manifest by hand. */
const LARGEST = 1024 * 1024;

/** Lines count from 1. `undefined` where the file cannot be read or is no longer that long. */
export const sourceLine = (file: string, line: number): string | undefined => {
  try {
    if (statSync(file).size > LARGEST) return undefined;
    return readAtOnce(file).toString().split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
};
