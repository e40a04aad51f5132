// Reads a file that may be absent.
import { isMissing } from '../errno.ts';
import { readAtOnce } from './own-file.ts';

/** `undefined`: there is no such file. An error: it cannot be read. */
export const textIfThere = (file: string): string | Error | undefined => {
  try {
    return readAtOnce(file).toString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
};
