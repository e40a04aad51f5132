// When a supervisor has its processes on record, in the state and in its journal.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../src/os/errno.ts';
import { projectId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { until } from './until.ts';

const PROCESS = /"process":\{"pid":(\d+)/g;

/** More than the part of a record that `PROCESS` matches: it may be cut by the end of what was read. */
const OVERLAP = 64;

/** What was read of a file: it may be replaced, or longer, the next time. */
interface Known {
  readonly inode: number;
  readonly length: number;
}

/** From `from` on; nothing where it is gone meanwhile, or no file. */
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
 * How many processes were ever on record there, in the state or in its journal. What was read is not read again: a look
 * costs what is new, so that a thousand looks do not take away the processor from whom they measure.
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
  return () => {
    for (const entry of readdirSync(directory, { withFileTypes: true }))
      try {
        if (entry.isFile()) look(join(directory, entry.name));
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error;
      }
    return pids.size;
  };
};

/** In milliseconds. */
const LOOK_EVERY = 10;
const LATE = 60_000;

/**
 * Settles with the moment when the state of the project `bench` knows of that many processes, 10 ms late at most. Whoever
 * is told of each write by the kernel is woken by each, and takes the processor from whom it measures.
 */
export const recorded = async (dataDir: string, count: number): Promise<() => Promise<number>> => {
  const directory = dirname(layoutOf(dataDir).projectState(projectId('bench')));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = recordsIn(directory);
  const look = (): number | undefined => (known() >= count ? performance.now() : undefined);
  const seen = until(look, { what: `${count} processes on record`, limitMs: LATE, pauseMs: LOOK_EVERY });
  // Whoever never comes to wait for it has failed for a reason of his own.
  seen.catch(() => undefined);
  return () => seen;
};
