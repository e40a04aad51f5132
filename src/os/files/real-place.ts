// One directory has one name, whichever symbolic links lead to it: marks and sockets are told by that name.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without symbolic links, as far as it is there. */
export const realPlace = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
};
