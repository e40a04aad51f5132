// Finds log files by their names, chooses the rotated ones that exceed a limit, and removes them. For the
// upkeep of a supervisor and for `sup logs --prune` and `--clear`.
// Rules: `docs/behaviour.md`, "Output", "Old files" and "A limit for all logs together".
import { lstatSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { grouped } from '../../../streams/domain/grouped.ts';
import { type LogName, logNameOf } from '../../../streams/wire/rotated-log.ts';

interface NamedLog extends LogName {
  readonly path: string;
}

/** A log file on disk. */
export interface LogFile extends NamedLog {
  readonly bytes: number;
  /** When it was last written, ms since 1970. */
  readonly at: number;
  readonly inode: number;
}

/** The files in a directory, by the path of the active file of their log. */
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

/** Reads sizes and times of log files, those with the lowest number first. Links are not files of ours. */
export const logFiles = async (names: readonly NamedLog[] = []): Promise<readonly LogFile[]> => {
  const files: LogFile[] = [];
  for (const name of names) {
    const found = await lstat(name.path).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    files.push({ ...name, bytes: found.size, at: found.mtimeMs, inode: found.ino });
  }
  return files.toSorted((one, other) => one.number - other.number);
};

/** Returns the directories with the logs of a project, also of projects that are no longer declared. */
const projectDirectories = async (logsDirectory: string): Promise<readonly string[]> => {
  const entries = await readdir(logsDirectory, { withFileTypes: true }).catch(() => []);
  return (
    entries
      // A link to a directory is one that the user made to have the logs on another disk.
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

/** Removes the incomplete copies that a killed supervisor has left, also where nothing is compressed now. */
export const removeCopies = async (logsDirectory: string): Promise<void> => {
  for (const directory of await projectDirectories(logsDirectory)) {
    const names = await logNames(directory);
    const copies = [...names.values()].flat().filter(({ kind }) => kind === 'copy');
    for (const { path } of copies) await rm(path, { force: true }).catch(() => undefined);
  }
};

/** Returns the size of the files together, bytes. */
export const bytesOf = (files: readonly Pick<LogFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

const isRotated = ({ kind }: LogName): boolean => kind === 'rotated' || kind === 'compressed';

/** Limits for rotated files. An absent one is not checked. */
export interface LogLimits {
  /** How long ago a file may have been written last, ms. */
  readonly maxAge?: number | undefined;
  /** The size of all files together, also of active ones, bytes. */
  readonly maxBytes?: number;
}

/** Returns the rotated files of a log with their order of removal: none goes before an older one. */
const inOrder = (log: readonly LogFile[]): readonly { readonly file: LogFile; readonly order: number }[] => {
  let order = Infinity;
  return log.filter(isRotated).map((file) => {
    order = Math.min(order, file.at);
    return { file, order };
  });
};

/** Returns the rotated files of these logs to remove so that the limits are kept, the oldest first. */
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

/** Removes a file. Synchronous: if it has been rotated on, its name now belongs to a newer file. */
export const removeLog = ({ path, inode }: Pick<LogFile, 'path' | 'inode'>): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
};
