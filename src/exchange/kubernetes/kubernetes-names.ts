// Makes names that Kubernetes permits: unique DNS labels that begin with a letter.
import { differentNames } from '../service-names.ts';

/**
 * The most characters of a name. This is the limit for a CronJob, because the names of its jobs are its own
 * name and eleven more characters.
 */
const LONGEST = 52;

/** Returns a DNS label: lower-case letters, digits and `-`. */
const dnsLabel = (text: string, longest = LONGEST): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/^-+/, '')
    .replace(/^(?=\d)/, 's-')
    .slice(0, longest)
    .replace(/-$/, '');

/** Returns unique DNS labels in the order of the names. */
export const dnsLabels = (names: readonly string[]): readonly string[] =>
  differentNames(
    names.map((name) => dnsLabel(name) || 'service'),
    LONGEST,
  );

/** The most characters of the name of a port. */
const LONGEST_PORT = 15;

/** Returns the name of a port: a DNS label with at least one letter. */
export const portName = (name: string, port: number): string => {
  const label = dnsLabel(name, LONGEST_PORT);
  return label === '' ? `port-${port}` : label;
};
