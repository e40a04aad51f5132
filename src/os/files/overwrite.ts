// Overwrites a small file in place: it is not replaced, so that there need be no wait for the disk, nor any space on it that
// the file does not have already.
import { closeSync, constants, writeSync } from 'node:fs';
import { openAtOnce } from './own-file.ts';

/** `text` covers all that stood there before. Throws when it cannot be written; a link and a FIFO are refused. */
export const overwrite = (file: string, text: string): void => {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openAtOnce(file, O_WRONLY | O_CREAT | O_NOFOLLOW);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};
