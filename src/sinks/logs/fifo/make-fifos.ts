// Creates the FIFOs that services write into, through the C library or, if that is impossible, by the program
// `mkfifo`. One process of `mkfifo` serves many waiting requests.
// Rules: `docs/behaviour.md`, "Output".
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, renameSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../../../os/files/directories.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { makeFifo } from '../../../os/libc/file-calls.ts';
import type { LogError } from '../capture-ports.ts';

/**
 * How many requests one `mkfifo` process serves: 16 at first, then twice as many each time. On a slow disk
 * the creation of a FIFO takes a millisecond, and the first of a thousand services must not wait for the
 * FIFOs of all.
 */
const FIRST_BATCH = 16;
const LARGEST_BATCH = 128;

interface Wanted {
  readonly paths: readonly string[];
  readonly done: (error?: Error) => void;
}

/** A path that needs a FIFO, and the file that is there now. */
interface Place {
  readonly path: string;
  readonly found: Stats | undefined;
}

const placeAt = (path: string): Place => ({ path, found: lstatSync(path, { throwIfNoEntry: false }) });
const isFifo = ({ found }: Place): boolean => found?.isFIFO() ?? false;

/** If another file is at `path`, renames that file, because it may be valuable, and warns. */
const clearTheWay = ({ path, found }: Place, logError: LogError): void => {
  if (found === undefined) return;
  const aside = `${path}.${String(Date.now())}.aside`;
  renameSync(path, aside);
  logError(`${path} was in the way of a service's output; it is kept as ${aside}`);
};

/** Runs `mkfifo` and resolves with its error messages. */
const mkfifo = (paths: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile('mkfifo', ['-m', '600', '--', ...paths], (error, _stdout, stderr) => {
      resolve(stderr.trim() === '' ? (error?.message ?? '') : stderr.trim());
    });
  });

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const makeBatch = async (batch: readonly Wanted[]): Promise<void> => {
  const message = await mkfifo([...new Set(batch.flatMap((wanted) => wanted.paths))]);
  for (const { paths, done } of batch) {
    const missing = paths.find((path) => !isFifo(placeAt(path)));
    done(missing === undefined ? undefined : new Error(`cannot make ${missing}: ${message}`));
  }
};

/** Creates a FIFO (mode 0600) at each path that has none. Resolves with true if it has created a FIFO. */
export type MakeFifos = (paths: readonly string[]) => Promise<boolean>;
type Make = (paths: readonly string[]) => Promise<void>;

/** Creates FIFOs synchronously through the C library. No other file may be at their paths. */
const makeThrough =
  (libc: Libc) =>
  (paths: readonly string[]): Promise<void> => {
    try {
      for (const path of paths) makeFifo(libc, path);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };

const makeByPrograms = (): Make => {
  const waiting: Wanted[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    busy = true;
    await turn();
    for (let size = FIRST_BATCH; waiting.length > 0; size = Math.min(size * 2, LARGEST_BATCH))
      await makeBatch(waiting.splice(0, size));
    busy = false;
  };
  return (paths) =>
    new Promise((resolve, reject) => {
      const done = (error?: Error): void => {
        if (error === undefined) resolve();
        else reject(error);
      };
      waiting.push({ paths, done });
      if (!busy) void work();
    });
};

export const fifoMaker = (logError: LogError, libc?: Libc): MakeFifos => {
  const make = libc === undefined ? makeByPrograms() : makeThrough(libc);
  return async (paths) => {
    const missing = paths.map(placeAt).filter((place) => !isFifo(place));
    if (missing.length === 0) return false;
    for (const directory of new Set(missing.map(({ path }) => dirname(path))))
      if (!existsSync(directory)) makeDirectory(directory, 0o700);
    for (const place of missing) clearTheWay(place, logError);
    await make(missing.map(({ path }) => path));
    return true;
  };
};
