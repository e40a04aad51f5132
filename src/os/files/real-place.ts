// Resolves symbolic links, so that one directory has one name: marks and sockets depend on it.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without symbolic links, as far as it exists. */
export const realPlace = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
};
