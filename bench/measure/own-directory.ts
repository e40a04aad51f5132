// Runs a measurement in its own directory and kills all processes that it started. Its files are removed only
// at the end of the whole run: for some seconds after ext4 has removed a thousand files, it needs ten times
// as long to create one, which would falsify the next figure.
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carriersOf, MARK } from './processes.ts';

export interface Place {
  readonly directory: string;
  /** Variables that every process of this measurement must have, so that it can be found. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Kills all processes of a measurement. Repeats until it finds none, because a process may fork while it is
 * killed.
 */
const reap = async (mark: string): Promise<void> => {
  for (let left = carriersOf(mark); left.length > 0; left = carriersOf(mark)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process exited between the search and the signal.
      }
    }
    await pause(20);
  }
};

const used = new Set<string>();

/** Kills the processes of all measurements, if the run is stopped by a signal. */
export const reapAll = async (): Promise<void> => {
  for (const directory of used) await reap(directory);
};

export const inOwnDirectory = async <T>(scratch: string, work: (place: Place) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(scratch, 'w-'));
  used.add(directory);
  try {
    return await work({ directory, environment: { [MARK]: directory } });
  } finally {
    await reap(directory);
    used.delete(directory);
  }
};
