// Directories: creates them, resolves their links, and tells whether a launcher has hidden one from the
// service that this process belongs to. Node's recursive mkdir never returns if the kernel keeps reporting
// ENOENT for an existing parent, as below /proc.
import { mkdirSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../errno.ts';

/** True for a directory, also behind a link. */
export const isDirectory = (path: string): boolean =>
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

/** The path without symbolic links, as far as it exists. */
export const realPlace = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
};

/** The source name, in the mount table, of the file system that covers it. */
export const HIDDEN_SOURCE = 'sup-hidden';

const TMPFS = 0x0102_1994;

/** A path as the kernel prints it in that table: blanks, tabs, line ends and backslashes in octal. */
const escaped = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** False if that cannot be read. */
export const isHiddenPlace = (directory: string): boolean => {
  try {
    if (statfsSync(directory).type !== TMPFS) return false;
    const at = ` ${escaped(directory)} `;
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .some((line) => line.includes(at) && line.includes(` - tmpfs ${HIDDEN_SOURCE} `));
  } catch {
    return false;
  }
};

/** In bytes: `sun_path` has room for one more, the terminating zero. */
export const LONGEST_SOCKET_PATH = 107;

export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;
