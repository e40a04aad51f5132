// When a supervisor has its processes on record, in the state and in its journal.
import { existsSync, readdirSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textIfThere } from '../../src/os/files/read-text.ts';
import { projectId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';

const PROCESS = /"process":\{"pid":(\d+)/g;

/** Processes on record, in the state and in its journal. */
const recordedIn = (directory: string): number => {
  const texts = readdirSync(directory).map((file) => textIfThere(join(directory, file)));
  const pids = texts.flatMap((text) =>
    typeof text === 'string' ? [...text.matchAll(PROCESS)].map(([, pid]) => pid) : [],
  );
  return new Set(pids).size;
};

/** Settles with the moment when the state of the project `bench` knows of that many processes. The kernel tells of each new one: nothing is polled. */
export const recorded = async (dataDir: string, count: number): Promise<() => Promise<number>> => {
  const directory = dirname(layoutOf(dataDir).projectState(projectId('bench')));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const watcher = watch(directory);
  const late = setTimeout(() => watcher.close(), 60_000);
  const seen = new Promise<number>((resolve, reject) => {
    watcher.on('close', () => reject(new Error('they were never all on record')));
    watcher.on('change', () => {
      const at = performance.now();
      // Removed: whoever waits is told in a moment why.
      if (!existsSync(directory)) return;
      const known = recordedIn(directory);
      if (known >= count) resolve(at);
    });
  });
  // Whoever never comes to wait for it has failed for a reason of his own.
  seen.catch(() => undefined);
  return () =>
    seen.finally(() => {
      clearTimeout(late);
      watcher.close();
    });
};
