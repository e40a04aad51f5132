// Rotates a log: `web.log` becomes `web.log.1`, `.1` becomes `.2`, up to exactly `max_files`. Done in one
// turn: nothing is read meanwhile that would have to wait in memory.
// Rules: `docs/behaviour.md`, "Output", "Rotation".
import { isMissing } from '../../../os/errno.ts';
import type { LogDisk } from './log-disk.ts';

const removed = (disk: LogDisk, path: string): boolean => {
  try {
    disk.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** The first free number, at most `maxFiles`: an interrupted rotation left a gap, and continues there. */
const firstFree = (disk: LogDisk, path: string, maxFiles: number): number => {
  let number = 1;
  while (number < maxFiles && disk.exists(`${path}.${String(number)}`)) number += 1;
  return number;
};

/** Frees `path`. The highest number moves first, so that a kill half-way loses no file. */
export const rotate = (disk: LogDisk, path: string, maxFiles: number): void => {
  // Left by an earlier, larger `max_files`.
  for (let number = maxFiles + 1; removed(disk, `${path}.${String(number)}`); number += 1);
  if (maxFiles === 0) {
    removed(disk, path);
    return;
  }
  for (let to = firstFree(disk, path, maxFiles); to > 1; to -= 1)
    disk.rename(`${path}.${String(to - 1)}`, `${path}.${String(to)}`);
  disk.rename(path, `${path}.1`);
};
