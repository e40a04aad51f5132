// The size of a service's log on disk, with its rotated files.
import { statSync } from 'node:fs';

/** An upper bound: more rotated files than are ever kept. */
const MOST_FILES = 1_000;

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** Returns `undefined` if there is no log, or if it cannot be read. */
export const logBytes = (file: string): number | undefined => {
  try {
    let total = sizeOf(file);
    for (let rotated = 1; total !== undefined && rotated < MOST_FILES; rotated += 1) {
      const more = sizeOf(`${file}.${rotated}`);
      if (more === undefined) break;
      total += more;
    }
    return total;
  } catch {
    return undefined;
  }
};
