// The error of a command when its manifest failed to load.
import type { SupError } from './error.ts';
import { MANIFEST_CODES } from './manifest-code.ts';
import type { Problem } from '../declared/manifest.ts';

/** Returns the first error, or the first warning if there is no error. */
export const leading = (problems: readonly Problem[]): Problem | undefined =>
  problems.find(({ severity }) => severity === 'error') ?? problems[0];

/** Returns the error with the code of the leading problem; it carries all the problems. */
export const manifestError = (path: string, problems: readonly Problem[]): SupError => {
  const first = leading(problems);
  const code = MANIFEST_CODES.find((known) => known === first?.code);
  if (code !== undefined) return { code, manifest: path, problems };
  return { code: 'ERR0203', file: path, detail: first?.message ?? 'it does not load' };
};

/** Returns the commands that help with a registered manifest that does not load. */
export const manifestRemedy = (path: string): string =>
  `to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path}`;
