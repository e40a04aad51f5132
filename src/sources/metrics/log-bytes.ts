// What the log of a service takes on disk, rotated files and all.
import { statSync } from 'node:fs';

/** More rotated files than anybody keeps. */
const MOST_FILES = 1_000;

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** `undefined`: there is no log, or it cannot be looked at. */
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
