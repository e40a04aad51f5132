// Finds the log files of all services by their names, also of services that are no longer declared. The
// supervisor uses this in the background; `sup logs` uses it with `--prune` and `--clear`.
// Rules: `docs/behaviour.md`, "Output", "A limit for all logs together".
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
