// Runs a measurement in its own directory and ends all processes that it started. Its files stay until the
// whole run is over: for seconds after a thousand files were removed, ext4 needs ten times as long to create
// one, and that would be in the next figure.
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carriersOf, MARK } from './processes.ts';

export interface Place {
  readonly directory: string;
  /** The environment that each process of this measurement must have. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Repeats until no new process is found: a process may fork while it is killed. */
const reap = async (mark: string): Promise<void> => {
  for (let left = carriersOf(mark); left.length > 0; left = carriersOf(mark)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It exited between the search and the signal.
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
