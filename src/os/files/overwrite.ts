// Overwrites a small file in place: it is not replaced, so that there need be no wait for the disk, nor any space on it that
// the file does not have already.
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** `text` covers all that stood there before. Throws when it cannot be written; a link is refused. */
export const overwrite = (file: string, text: string): void => {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};
