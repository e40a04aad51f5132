// A directory with all that lead to it. Node's own way never comes back where the kernel goes on saying that a directory on
// the way is not there although it is, as it does below /proc.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../errno.ts';

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** With what the kernel says where it cannot be made; one that is there is left as it is. */
const make = (path: string, mode: number | undefined): void => {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
};

/** `mode` is that of each that is made. Throws where one cannot be. */
export const makeDirectory = (path: string, mode?: number): void => {
  try {
    make(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    makeDirectory(dirname(path), mode);
    make(path, mode);
  }
};

const makeSoon = async (path: string, mode: number | undefined): Promise<void> => {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
};

/** The same, while others go on. */
export const makeDirectoryAsync = async (path: string, mode?: number): Promise<void> => {
  try {
    await makeSoon(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeDirectoryAsync(dirname(path), mode);
    await makeSoon(path, mode);
  }
};
