// What to do next about an error: the catalogue's advice, or a better one where the facts allow it.
import { CATALOGUE } from '../domain/catalogue.ts';
import type { SupError } from '../domain/error.ts';
import { leading } from '../domain/manifest-error.ts';
import { isManifestError } from './error-sentence.ts';
import { didYouMean } from './nearest.ts';
import { serviceHint } from './service-hint.ts';

export const errorHint = (error: SupError): string => betterHint(error) ?? CATALOGUE[error.code].next;

const betterHint = (error: SupError): string | undefined => {
  if (isManifestError(error)) return leading(error.problems)?.hint;
  if (error.code === 'ERR0006') return ambiguousHint(error.name, error.projects);
  if ('service' in error) return serviceHint(error);
  if (error.code === 'ERR0202') return knownHint(error.name, error.known);
  if (error.code === 'ERR0205' && error.pid !== undefined) return silentHint(error.pid);
  return undefined;
};

const ambiguousHint = (name: string, projects: readonly string[]): string =>
  `say which: ${projects.map((project) => `-s ${project}/${name}`).join(', or ')}`;

const silentHint = (pid: number): string =>
  `if it is stopped: kill -CONT ${pid}; else end it and start it again: its services survive`;

/** How many names are worth listing. */
const MOST_NAMES = 8;

const knownHint = (name: string, known: readonly string[]): string | undefined => {
  if (known.length === 0) return 'nothing is registered: sup start -c <manifest>';
  const all = known.length <= MOST_NAMES ? `there are ${known.join(', ')}` : undefined;
  return didYouMean(name, known) ?? all;
};
