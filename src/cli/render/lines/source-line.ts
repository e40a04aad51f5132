// A line of a manifest as it is now, to print above the caret of a problem that the supervisor found.
import { statSync } from 'node:fs';
import { readAtOnce } from '../../../os/files/own-file.ts';

/** Larger manifests are not written by hand, bytes. */
const LARGEST = 1024 * 1024;

/** Lines count from 1. Returns `undefined` if the file cannot be read or is shorter. */
export const sourceLine = (file: string, line: number): string | undefined => {
  try {
    if (statSync(file).size > LARGEST) return undefined;
    return readAtOnce(file).toString().split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
};
