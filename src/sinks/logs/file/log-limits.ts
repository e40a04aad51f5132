// Chooses the rotated log files that exceed a limit, and removes them.
// Rules: `docs/behaviour.md`, "Output", "Old files" and "A limit for all logs together".
import { lstatSync, rmSync } from 'node:fs';
import type { LogName } from '../../../streams/wire/log-file-names.ts';
import { bytesOf, type LogFile } from './find-log-files.ts';

const isRotated = ({ kind }: LogName): boolean => kind === 'rotated' || kind === 'compressed';

/** Limits for rotated files. An absent limit is not checked. */
export interface LogLimits {
  /** The maximum age of a file, counted from its last write, ms. */
  readonly maxAge?: number | undefined;
  /** The maximum size of all files together, including active files, bytes. */
  readonly maxBytes?: number;
}

/**
 * Returns the rotated files of a log, each with a time that decides the order of removal: the time of its
 * last write, or the time of the next newer file if that is earlier. So a file with a higher number, which is
 * older, never gets a later time, even if the clock was set.
 */
const inOrder = (log: readonly LogFile[]): readonly { readonly file: LogFile; readonly order: number }[] => {
  let order = Infinity;
  return log.filter(isRotated).map((file) => {
    order = Math.min(order, file.at);
    return { file, order };
  });
};

/** Returns the rotated files that must be removed to keep the limits, the oldest first. */
export const exceeding = (
  logs: readonly (readonly LogFile[])[],
  { maxAge = Infinity, maxBytes = Infinity }: LogLimits,
  now: number,
): readonly LogFile[] => {
  let left = bytesOf(logs.flat());
  return logs
    .flatMap(inOrder)
    .toSorted((one, other) => one.order - other.order || other.file.number - one.file.number)
    .map(({ file }) => file)
    .filter(({ at, bytes }) => {
      const goes = now - at > maxAge || left > maxBytes;
      if (goes) left -= bytes;
      return goes;
    });
};

/**
 * Removes a file, unless a rotation has given its name to a newer file. It is synchronous, so that no
 * rotation can happen between check and removal.
 */
export const removeLog = ({ path, inode }: Pick<LogFile, 'path' | 'inode'>): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
};
