// The path by which the supervisor knows a manifest, resolved at registration. A link may have replaced it
// since: its old and new paths mean the same manifest.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { peekRegistry } from '../../sources/store/read-store.ts';
import type { Context } from '../context.ts';

/** Resolves links. A file that is gone keeps its plain path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

/** A literally registered path first, then one that leads to the same file; otherwise the resolved path. */
export const registeredPath = (path: string, { dataDir, world: { directory } }: Context): string => {
  const [absolute, resolved] = [resolve(directory, path), resolvedPath(path, directory)];
  const registered = peekRegistry(dataDir);
  const literal = [absolute, resolved].find((known) => registered.includes(known));
  return literal ?? registered.find((known) => resolvedPath(known, directory) === resolved) ?? resolved;
};
