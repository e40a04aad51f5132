// A file that may not be there.
import { readFileSync } from 'node:fs';
import { isMissing } from '../errno.ts';

/** `undefined`: there is none. An error: there is one that cannot be read. */
export const textIfThere = (file: string): string | Error | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
};
