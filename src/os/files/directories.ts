// Creates directories, resolves links, and finds out whether a directory is hidden from the service in which
// this process runs. Node's recursive mkdir is not used: it loops forever if the kernel reports ENOENT
// although the parent exists, as below /proc.
// Rules: `docs/behaviour.md`, "Names and places"; `docs/behaviour.md`, "One supervisor".
import { mkdirSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../errno.ts';
import { mountsOf } from '../proc/mount-table.ts';
import { HIDDEN_SOURCE } from '../../streams/domain/service/process-confinement.ts';

/** True if the path is a directory, or a symbolic link to a directory. */
export const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the names in a directory, sorted; none if it cannot be read. */
export const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
};

/** Resolves to the names in a directory; to an empty list if the directory does not exist. */
export const namesIfThere = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Creates one directory, unless it exists. Throws the kernel's error. */
const make = (path: string, mode: number | undefined): void => {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
};

/** Creates the directory and missing parents, each with `mode`. Throws if a directory cannot be created. */
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

/** Like `makeDirectory`, but asynchronous; rejects instead of throwing. */
export const makeDirectoryAsync = async (path: string, mode?: number): Promise<void> => {
  try {
    await makeSoon(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeDirectoryAsync(dirname(path), mode);
    await makeSoon(path, mode);
  }
};

/**
 * Returns the path with all symbolic links resolved. If the last part of the path does not exist, this part
 * stays unchanged.
 */
export const realPlace = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
};

const TMPFS = 0x0102_1994;

/**
 * True if this process runs in a service from which the directory is hidden. To hide a directory, the
 * launcher of the service mounts an empty file system over it. False if the mount table cannot be read.
 */
export const isHiddenPlace = (directory: string): boolean => {
  try {
    if (statfsSync(directory).type !== TMPFS) return false;
    return mountsOf('self').some(
      ({ path, type, source }) => path === directory && type === 'tmpfs' && source === HIDDEN_SOURCE,
    );
  } catch {
    return false;
  }
};

/** The maximum length of the path of a unix socket, bytes: `sun_path` also needs a terminating zero. */
export const LONGEST_SOCKET_PATH = 107;

export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;
