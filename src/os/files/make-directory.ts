// Creates a directory with its parents. Node's recursive mkdir never returns if the kernel keeps reporting
// ENOENT for an existing parent, as below /proc.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../errno.ts';

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Throws the kernel's error if it cannot be created. An existing directory is left as it is. */
const make = (path: string, mode: number | undefined): void => {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
};

/** Creates the directory and missing parents, each with `mode`. Throws if one cannot be created. */
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

/** The same, asynchronously. */
export const makeDirectoryAsync = async (path: string, mode?: number): Promise<void> => {
  try {
    await makeSoon(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeDirectoryAsync(dirname(path), mode);
    await makeSoon(path, mode);
  }
};
