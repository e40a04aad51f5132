// Finds log files by their names, chooses the rotated files that exceed a limit, and removes them. The
// supervisor uses this in the background; `sup logs` uses it with `--prune` and `--clear`.
// Rules: `docs/behaviour.md`, "Output", "Old files" and "A limit for all logs together".
import { lstatSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { grouped } from '../../../streams/domain/grouped.ts';
import { type LogName, logNameOf } from '../../../streams/wire/log-file-names.ts';

interface NamedLog extends LogName {
  readonly path: string;
}

/** A log file on disk. */
export interface LogFile extends NamedLog {
  readonly bytes: number;
  /** When the file was last written, ms since 1970. */
  readonly at: number;
  readonly inode: number;
}

/** The log files in a directory. The key is the path of the active file of each log. */
export type LogNames = ReadonlyMap<string, readonly NamedLog[]>;

/** Returns the log files in a directory; none if it cannot be read. */
export const logNames = async (directory: string): Promise<LogNames> => {
  const names = await readdir(directory).catch(() => []);
  const found = names.flatMap((name): readonly NamedLog[] => {
    const log = logNameOf(name);
    return log === undefined ? [] : [{ ...log, path: `${directory}/${name}` }];
  });
  return grouped(found, ({ log }) => `${directory}/${log}`);
};

/** Returns log files with sizes and times, lowest number first. Skips links, which `sup` does not create. */
export const logFiles = async (names: readonly NamedLog[] = []): Promise<readonly LogFile[]> => {
  const files: LogFile[] = [];
  for (const name of names) {
    const found = await lstat(name.path).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    files.push({ ...name, bytes: found.size, at: found.mtimeMs, inode: found.ino });
  }
  return files.toSorted((one, other) => one.number - other.number);
};

/** Returns the directory with the logs of each project, also of projects that are no longer declared. */
const projectDirectories = async (logsDirectory: string): Promise<readonly string[]> => {
  const entries = await readdir(logsDirectory, { withFileTypes: true }).catch(() => []);
  return (
    entries
      // A user may have made a link to a directory, to have the logs on another disk.
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(({ name }) => `${logsDirectory}/${name}`)
  );
};

/** Returns the files of each log of all projects, also of services that are no longer declared. */
export const allLogFiles = async (logsDirectory: string): Promise<readonly (readonly LogFile[])[]> => {
  const logs: (readonly LogFile[])[] = [];
  for (const directory of await projectDirectories(logsDirectory)) {
    const names = await logNames(directory);
    for (const log of names.values()) logs.push(await logFiles(log));
  }
  return logs;
};

/**
 * Removes the incomplete compressed copies that a killed supervisor left, also of logs that are not
 * compressed any more.
 */
export const removeCopies = async (logsDirectory: string): Promise<void> => {
  for (const directory of await projectDirectories(logsDirectory)) {
    const names = await logNames(directory);
    const copies = [...names.values()].flat().filter(({ kind }) => kind === 'copy');
    for (const { path } of copies) await rm(path, { force: true }).catch(() => undefined);
  }
};

/** Returns the total size of the files, bytes. */
export const bytesOf = (files: readonly Pick<LogFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

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
 * last write. A file with a higher number is older. So it never gets a later time than a file with a lower
 * number, even if the clock was set.
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
