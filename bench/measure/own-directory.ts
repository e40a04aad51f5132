// A measurement in a directory of its own, after which nothing that it started is alive. What it wrote stays until the
// whole run is over: for seconds after a thousand files were removed, ext4 takes ten times as long to make a new one (it
// goes by the inodes of those that are just gone), and that would be in the next figure.
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carriersOf, MARK } from './processes.ts';

export interface Place {
  readonly directory: string;
  /** What everything that is started here must have in its environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Looks again until nobody new turns up: what is being killed may be forking. */
const reap = async (mark: string): Promise<void> => {
  for (let left = carriersOf(mark); left.length > 0; left = carriersOf(mark)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended between the look and the blow.
      }
    }
    await pause(20);
  }
};

export const inOwnDirectory = async <T>(scratch: string, work: (place: Place) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(scratch, 'w-'));
  try {
    return await work({ directory, environment: { [MARK]: directory } });
  } finally {
    await reap(directory);
  }
};
