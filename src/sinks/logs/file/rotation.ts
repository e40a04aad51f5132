// Moving an active log out of the way: `web.log` becomes `web.log.1`, `.1` becomes `.2`, up to exactly `max_files`.
import { rename, stat, unlink } from 'node:fs/promises';
import { isMissing } from '../../../os/errno.ts';

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const removed = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** The first number that is free, at most `maxFiles`: a rotation that was cut short has left a gap, and goes on there. */
const firstFree = async (path: string, maxFiles: number): Promise<number> => {
  let number = 1;
  while (number < maxFiles && (await exists(`${path}.${String(number)}`))) number += 1;
  return number;
};

/** Removes what an earlier, larger `max_files` has left. */
const dropSurplus = async (path: string, maxFiles: number): Promise<void> => {
  for (let number = maxFiles + 1; await removed(`${path}.${String(number)}`); number += 1);
};

/** Afterwards nothing is at `path`. Highest number first, so that being killed half-way loses no file. */
export const rotate = async (path: string, maxFiles: number): Promise<void> => {
  await dropSurplus(path, maxFiles);
  if (maxFiles === 0) {
    await removed(path);
    return;
  }
  for (let to = await firstFree(path, maxFiles); to > 1; to -= 1) {
    await rename(`${path}.${String(to - 1)}`, `${path}.${String(to)}`);
  }
  await rename(path, `${path}.1`);
};
