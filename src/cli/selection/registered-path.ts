// By which path the supervisor knows a manifest. That was resolved when it was registered, and a link may have taken its
// place since: whoever names the one or the other means the same manifest.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { peekRegistry } from '../../sources/store/read.ts';
import type { Context } from '../context.ts';

/** Resolved through links. A file that is gone is still known by its plain path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

/** What is registered literally goes first, then what leads to the same file; of what is not registered, its resolved path. */
export const registeredPath = (path: string, { dataDir, world: { directory } }: Context): string => {
  const [absolute, resolved] = [resolve(directory, path), resolvedPath(path, directory)];
  const registered = peekRegistry(dataDir);
  const literal = [absolute, resolved].find((known) => registered.includes(known));
  return literal ?? registered.find((known) => resolvedPath(known, directory) === resolved) ?? resolved;
};
