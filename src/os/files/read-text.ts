// A file that may not be there.
import { isMissing } from '../errno.ts';
import { readAtOnce } from './own-file.ts';

/** `undefined`: there is none. An error: there is one that cannot be read. */
export const textIfThere = (file: string): string | Error | undefined => {
  try {
    return readAtOnce(file).toString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
};
