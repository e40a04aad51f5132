// Names for commands that were given none.
import { basename } from 'node:path';

/** The program's base name as a valid name. */
export const suggestedName = (program: string): string => {
  const fit = basename(program)
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 56);
  return fit === '' ? 'command' : fit;
};

/** The first free name of `base`, `base-2`, `base-3`, … */
export const freeName = (base: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
};
