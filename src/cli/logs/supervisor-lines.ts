// The supervisor's own log: a file a day, `supervisor-2026-11-21.log`, and `.1`, `.2`, … behind it where a day has more.
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isMissing } from '../../os/errno.ts';
import { linesBackwards } from './files/backwards.ts';
import { endOfLines, nextLines, openFile, type OpenFile } from './files/open-file.ts';

const NAME = /^supervisor-(\d{4}-\d\d-\d\d)\.log(?:\.(\d+))?$/;
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

const placeOf = (name: string): string => {
  const [, day = '', number = '0'] = NAME.exec(name) ?? [];
  return `${day} ${number.padStart(6, '0')}`;
};

/** Oldest first. */
export const supervisorLogs = async (directory: string): Promise<readonly string[]> =>
  (await listed(directory))
    .filter((name) => NAME.test(name))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map((name) => `${directory}/${name}`);

/** Of one file, newest first, until `take` has enough. */
const takeFrom = async (file: OpenFile, take: (line: string) => boolean): Promise<boolean> => {
  for await (const block of linesBackwards(file.handle, await endOfLines(file)))
    if (!block.every((line) => take(line.toString()))) return false;
  return true;
};

/** Lines from the newest backwards, until `take` says that it has enough. */
export const takeBackwards = async (directory: string, take: (line: string) => boolean): Promise<void> => {
  for (const path of (await supervisorLogs(directory)).toReversed()) {
    const file = await openFile(path);
    if (file === undefined) continue;
    try {
      if (!(await takeFrom(file, take))) return;
    } finally {
      await file.handle.close();
    }
  }
};

const newest = async (directory: string): Promise<OpenFile | undefined> => {
  const path = (await supervisorLogs(directory)).at(-1);
  return path === undefined ? undefined : openFile(path);
};

/** The newest file where that is another; this one is closed then. */
const newer = async (directory: string, file: OpenFile | undefined): Promise<OpenFile | undefined> => {
  const next = await newest(directory);
  const isOther = next !== undefined && next.inode !== file?.inode;
  await (isOther ? file : next)?.handle.close();
  return isOther ? next : undefined;
};

/** What there is more of, in this file or in the next; `undefined`: nothing for now. */
const more = async (
  directory: string,
  reading: { file: OpenFile | undefined },
): Promise<readonly string[] | undefined> => {
  const lines = reading.file === undefined ? [] : await nextLines(reading.file);
  if (lines.length > 0) return lines.map(String);
  const next = await newer(directory, reading.file);
  if (next === undefined) return undefined;
  reading.file = next;
  return [];
};

/** Whole lines as they come, until `signal`; it begins behind what is there now. */
export async function* followSupervisor(
  directory: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const reading = { file: await newest(directory) };
  if (reading.file !== undefined) reading.file.offset = await endOfLines(reading.file);
  while (!signal.aborted) {
    const lines = await more(directory, reading);
    if (lines === undefined) await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
    else yield lines;
  }
  await reading.file?.handle.close();
}
