// A load that failed, as the error of the command that needed it.
import type { SupError } from './error.ts';
import { MANIFEST_CODES } from './manifest-code.ts';
import type { Problem } from '../declared/manifest.ts';

/** The problem that speaks for all: the first error; a warning only where there is no error. */
export const leading = (problems: readonly Problem[]): Problem | undefined =>
  problems.find(({ severity }) => severity === 'error') ?? problems[0];

/** The first problem speaks for the manifest, and brings the others along. */
export const manifestError = (path: string, problems: readonly Problem[]): SupError => {
  const first = leading(problems);
  const code = MANIFEST_CODES.find((known) => known === first?.code);
  if (code !== undefined) return { code, manifest: path, problems };
  return { code: 'ERR0203', file: path, detail: first?.message ?? 'it does not load' };
};

/** The commands that help with a registered manifest that does not load. */
export const manifestRemedy = (path: string): string =>
  `to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path}`;
