// Overwrites a small file in place instead of replacing it. This needs no sync and no new disk space.
import { closeSync, constants, writeSync } from 'node:fs';
import { openAtOnce } from './own-file.ts';

/**
 * `text` must be at least as long as the old content. Throws if it cannot be written; a link and a FIFO are
 * refused.
 */
export const overwrite = (file: string, text: string): void => {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openAtOnce(file, O_WRONLY | O_CREAT | O_NOFOLLOW);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};
