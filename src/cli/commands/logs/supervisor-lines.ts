// Reads the supervisor's own log. The first file of a day is, for example, `supervisor-2026-11-21.log`;
// further files of that day are `….1.log` and so on.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { namesIfThere } from '../../../os/files/directories.ts';
import {
  endOfLines,
  linesBackwards,
  nextLines,
  openFile,
  type OpenFile,
} from '../../../sources/logs/log-files.ts';

const NAME = /^supervisor-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.log$/;
/** Interval at which the files are checked for new lines, ms. */
const LOOK_EVERY = 100;

const placeOf = (path: string): string => {
  const [, day = '', number = '0'] = NAME.exec(basename(path)) ?? [];
  return `${day} ${number.padStart(6, '0')}`;
};

/** True if the name of the file `path` is that of a later file than `other`. */
const isBehind = (path: string, other: string): boolean => placeOf(path) > placeOf(other);

/** Returns the paths of the log files, oldest first. */
const supervisorLogs = async (directory: string): Promise<readonly string[]> =>
  (await namesIfThere(directory))
    .filter((name) => NAME.test(name))
    .toSorted((a, b) => (isBehind(b, a) ? -1 : 1))
    .map((name) => `${directory}/${name}`);

/** Calls `take` with each line of a file, newest first. Resolves to false if `take` has returned false. */
const takeFrom = async (file: OpenFile, upTo: number | undefined, take: Take): Promise<boolean> => {
  for await (const block of linesBackwards(file.handle, upTo ?? (await endOfLines(file))))
    if (!block.every((line) => take(line.toString()))) return false;
  return true;
};

/** Receives a line. Returns false if it needs no further line. */
type Take = (line: string) => boolean;

/** A position in the log: after all earlier files and after the first `offset` bytes of `path`. */
interface Place {
  readonly path: string;
  readonly offset: number;
}

/** Returns the position after the last complete line; `undefined` if there is no file. */
export const endOfLog = async (directory: string): Promise<Place | undefined> => {
  const path = (await supervisorLogs(directory)).at(-1);
  const file = path === undefined ? undefined : await openFile(path);
  if (path === undefined || file === undefined) return undefined;
  try {
    return { path, offset: await endOfLines(file) };
  } finally {
    await file.handle.close();
  }
};

/** Calls `take` with each line before `end`, newest first, until `take` returns false. */
export const takeBackwards = async (directory: string, end: Place | undefined, take: Take): Promise<void> => {
  if (end === undefined) return;
  const paths = await supervisorLogs(directory);
  for (const path of paths.filter((one) => !isBehind(one, end.path)).toReversed()) {
    const file = await openFile(path);
    if (file === undefined) continue;
    try {
      if (!(await takeFrom(file, path === end.path ? end.offset : undefined, take))) return;
    } finally {
      await file.handle.close();
    }
  }
};

interface Reading {
  path: string | undefined;
  file: OpenFile | undefined;
}

const inodeAt = async (path: string): Promise<number | undefined> => {
  const found = await stat(path).catch(() => undefined);
  return found?.ino;
};

/**
 * Returns the path of the file to read next; `undefined` if there is none. If no file was read yet, this is
 * the oldest file. If the file that was read has been replaced, this is the same path, otherwise the next
 * path.
 */
const after = async (directory: string, { path, file }: Reading): Promise<string | undefined> => {
  const paths = await supervisorLogs(directory);
  if (path === undefined) return paths[0];
  const inode = await inodeAt(path);
  return inode === undefined || inode === file?.inode ? paths.find((one) => isBehind(one, path)) : path;
};

const readingAt = async (place: Place | undefined): Promise<Reading> => {
  if (place === undefined) return { path: undefined, file: undefined };
  const file = await openFile(place.path);
  if (file !== undefined) file.offset = place.offset;
  return { path: place.path, file };
};

const linesOf = async ({ file }: Reading): Promise<readonly string[]> =>
  file === undefined ? [] : (await nextLines(file)).map(String);

/**
 * Returns the next lines of the file. At the end of the file, changes to the next file and returns an empty
 * list. Returns `undefined` if there is no next file.
 */
const more = async (directory: string, reading: Reading): Promise<readonly string[] | undefined> => {
  const lines = await linesOf(reading);
  if (lines.length > 0) return lines;
  const next = await after(directory, reading);
  if (next === undefined) return undefined;
  // The supervisor wrote to this file until it created the next file, so there may be lines that were written
  // after the last read.
  const last = await linesOf(reading);
  if (last.length > 0) return last;
  await reading.file?.handle.close();
  Object.assign(reading, { path: next, file: await openFile(next) });
  return [];
};

/** Yields complete lines that appear after `place`, until `signal` aborts. */
export async function* followSupervisor(
  directory: string,
  place: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const reading = await readingAt(place);
  while (!signal.aborted) {
    const lines = await more(directory, reading);
    if (lines === undefined) await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
    else yield lines;
  }
  await reading.file?.handle.close();
}
