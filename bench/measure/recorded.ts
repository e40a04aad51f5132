// Measures when a supervisor has recorded its processes in the state file or its journal.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../src/os/errno.ts';
import { projectId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { until } from './until.ts';

const PROCESS = /"process":\{"pid":(\d+)/g;

/**
 * Bytes at the end of a read that are read again the next time, because `PROCESS` may match across the end.
 * No match is longer.
 */
const OVERLAP = 64;

/** How far a file has been read. Later the file may be longer, or replaced by another file. */
interface Known {
  readonly inode: number;
  readonly length: number;
}

/** Reads a file from the offset `from` to its end. */
const readFrom = (file: string, from: number): Known & { readonly text: string } => {
  const descriptor = openSync(file, 'r');
  try {
    const { ino: inode, size: length } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.max(0, length - from));
    return {
      inode,
      length,
      text: bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, from)),
    };
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Returns a function that counts the processes that were recorded in the state or its journal since this
 * call. It reads only new bytes, so that repeated calls take little CPU time from the measured supervisor.
 */
const recordsIn = (directory: string): (() => number) => {
  const pids = new Set<string>();
  const known = new Map<string, Known>();
  const look = (file: string): void => {
    const { ino, size } = statSync(file);
    const before = known.get(file);
    const from = before?.inode === ino && before.length <= size ? Math.max(0, before.length - OVERLAP) : 0;
    const { text, ...now } = readFrom(file, from);
    known.set(file, now);
    for (const [, pid = ''] of text.matchAll(PROCESS)) pids.add(pid);
  };
  const count = (): number => {
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      try {
        if (entry.isFile()) look(join(directory, entry.name));
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error;
      }
    return pids.size;
  };
  // A service that was forgotten stays in the journal until the state is written again.
  const before = count();
  return () => count() - before;
};

/** `LOOK_EVERY`: interval between two checks, ms. `LATE`: timeout, ms. */
const LOOK_EVERY = 10;
const LATE = 60_000;

/**
 * Begins to wait until the state of the project `bench` has `count` processes. The returned function resolves
 * to the time of this, which is at most 10 ms late. The files are polled: a file watch would wake up at each
 * write and take CPU time from the measured supervisor.
 */
export const recorded = async (dataDir: string, count: number): Promise<() => Promise<number>> => {
  const directory = dirname(layoutOf(dataDir).projectState(projectId('bench')));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = recordsIn(directory);
  const look = (): number | undefined => (known() >= count ? performance.now() : undefined);
  const seen = until(look, { what: `${count} processes on record`, limitMs: LATE, pauseMs: LOOK_EVERY });
  // If the caller never waits for this promise, the measurement has failed for another reason, and this one
  // is ignored.
  seen.catch(() => undefined);
  return () => seen;
};
