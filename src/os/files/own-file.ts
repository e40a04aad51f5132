// Opens a file of our own in a place that others may be able to write too: a link is not followed, a FIFO or a device is not
// waited for, and what was opened is judged by its descriptor.
import { constants, type Stats } from 'node:fs';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;

/** Flags of open(2). */
export const READ_OWN = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
export const APPEND_OWN = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const ROOT = 0;

/** Why the open file is not to be read as our own word: root may have written it too. */
export const notOurs = (found: Pick<Stats, 'uid' | 'isFile'>): string | undefined => {
  if (!found.isFile()) return 'it is not a regular file';
  return found.uid === process.getuid?.() || found.uid === ROOT
    ? undefined
    : `it is owned by user ${found.uid}, and this is user ${process.getuid?.() ?? ROOT}`;
};

/** Why nothing may be appended to the open file. A second name of it may lie anywhere. */
export const notOursToWrite = (found: Pick<Stats, 'uid' | 'isFile' | 'nlink'>): string | undefined => {
  if (!found.isFile()) return 'it is not a regular file';
  const uid = process.getuid?.() ?? ROOT;
  if (found.uid !== uid) return `it is owned by user ${found.uid}, and this is user ${uid}`;
  return found.nlink === 1 ? undefined : `it has ${found.nlink} names (hard links), and must have one`;
};
