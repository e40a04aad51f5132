// Finds the log files of a directory by their names: the active file of a log, and its rotated files, which
// may be compressed.
import { lstatSync, rmSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { COMPRESSING } from '../../../streams/wire/compressed-log.ts';

/** A rotated file of a log. */
export interface RotatedLog {
  readonly path: string;
  readonly number: number;
  readonly isCompressed: boolean;
  readonly bytes: number;
  /** When it was last written, ms since 1970. */
  readonly at: number;
  readonly inode: number;
}

/** The files of one log. */
export interface LogFiles {
  /** The size of the active file, bytes; 0 if there is none. */
  readonly activeBytes: number;
  /** The newest first. */
  readonly rotated: readonly RotatedLog[];
}

/** The names of log files in a directory. */
export interface LogNames {
  /** By the path of the active file. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  /** Paths of compressed copies that are not complete. */
  readonly copies: readonly string[];
}

const LOG_NAME = /^(.+\.log)(?:\.(\d+)(\.gz)?)?$/;

/** Returns the log files in a directory; none if it cannot be read. */
export const logNames = async (directory: string): Promise<LogNames> => {
  const names = await readdir(directory).catch(() => []);
  const logs = new Map<string, string[]>();
  for (const name of names) {
    const [, log] = LOG_NAME.exec(name) ?? [];
    if (log === undefined) continue;
    const path = `${directory}/${log}`;
    const known = logs.get(path);
    if (known === undefined) logs.set(path, [name]);
    else known.push(name);
  }
  const copies = names.filter((name) => name.endsWith(COMPRESSING)).map((name) => `${directory}/${name}`);
  return { logs, copies };
};

/** Reads the sizes and times of the files of a log. Links and directories are not files of ours. */
export const logFiles = async (log: string, names: readonly string[]): Promise<LogFiles> => {
  const directory = log.slice(0, log.lastIndexOf('/'));
  const rotated: RotatedLog[] = [];
  let activeBytes = 0;
  for (const name of names) {
    const path = `${directory}/${name}`;
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    const { size: bytes, mtimeMs: at, ino: inode } = found;
    const [, , number, gz] = LOG_NAME.exec(name) ?? [];
    if (number === undefined) activeBytes = bytes;
    else rotated.push({ path, number: Number(number), isCompressed: gz !== undefined, bytes, at, inode });
  }
  return { activeBytes, rotated: rotated.toSorted((one, other) => one.number - other.number) };
};

/** Removes a rotated file. Synchronous: if it has been rotated on, its name now belongs to a newer file. */
export const removeRotated = ({ path, inode }: RotatedLog): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
};
