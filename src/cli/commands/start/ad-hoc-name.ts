// What a command is called that was given no name.
import { basename } from 'node:path';

/** The name a program suggests: its base name, made fit. */
export const suggestedName = (program: string): string => {
  const fit = basename(program)
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 56);
  return fit === '' ? 'command' : fit;
};

/** `base`, or `base-2`, `base-3`, … whichever is free. */
export const freeName = (base: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
};
