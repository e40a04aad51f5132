// The supervisor's own log: a file a day, `supervisor-2026-11-21.log`, then `supervisor-2026-11-21.1.log` and so on where it has more.
import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMissing } from '../../../os/errno.ts';
import { linesBackwards } from '../../../sources/logs/backwards.ts';
import { endOfLines, nextLines, openFile, type OpenFile } from '../../../sources/logs/open-file.ts';

const NAME = /^supervisor-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.log$/;
/** How often to look whether there is more; ms. */
const LOOK_EVERY = 100;

const listed = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

const placeOf = (path: string): string => {
  const [, day = '', number = '0'] = NAME.exec(basename(path)) ?? [];
  return `${day} ${number.padStart(6, '0')}`;
};

/** Whether or not the other one is still there. */
const isBehind = (path: string, other: string): boolean => placeOf(path) > placeOf(other);

/** Oldest first. */
const supervisorLogs = async (directory: string): Promise<readonly string[]> =>
  (await listed(directory))
    .filter((name) => NAME.test(name))
    .toSorted((a, b) => (isBehind(b, a) ? -1 : 1))
    .map((name) => `${directory}/${name}`);

/** Of one file from its end or `upTo`, newest first, until `take` has enough. */
const takeFrom = async (file: OpenFile, upTo: number | undefined, take: Take): Promise<boolean> => {
  for await (const block of linesBackwards(file.handle, upTo ?? (await endOfLines(file))))
    if (!block.every((line) => take(line.toString()))) return false;
  return true;
};

/** Says that it has enough with `false`. */
type Take = (line: string) => boolean;

/** A place between two lines: all files before `path`, and this one up to `offset` bytes. */
interface Place {
  readonly path: string;
  readonly offset: number;
}

/** Behind the last whole line there is now; `undefined`: there is none. */
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

/** Lines from `end` backwards, until `take` says that it has enough. */
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

/** The file that comes after this one: of the same name where it was removed and made again; the oldest where none was read. */
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

/** What there is more of, in this file or in the next; `undefined`: nothing for now. */
const more = async (directory: string, reading: Reading): Promise<readonly string[] | undefined> => {
  const lines = await linesOf(reading);
  if (lines.length > 0) return lines;
  const next = await after(directory, reading);
  if (next === undefined) return undefined;
  // It was written to until there was another, which may have been after the last look.
  const last = await linesOf(reading);
  if (last.length > 0) return last;
  await reading.file?.handle.close();
  Object.assign(reading, { path: next, file: await openFile(next) });
  return [];
};

/** Whole lines as they come behind `place`, until `signal`. */
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
