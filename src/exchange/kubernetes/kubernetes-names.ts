// Makes names that Kubernetes permits: DNS labels, which begin with a letter, and each only once.
import { differentNames } from '../service-names.ts';

/** The limit for a CronJob, which adds eleven characters to the names of its jobs. */
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

/** Returns different DNS labels in the same order. */
export const dnsLabels = (names: readonly string[]): readonly string[] =>
  differentNames(
    names.map((name) => dnsLabel(name) || 'service'),
    LONGEST,
  );

/** The longest name of a port. */
const LONGEST_PORT = 15;

/** Returns the name of a port: a DNS label with a letter in it. */
export const portName = (name: string, port: number): string => {
  const label = dnsLabel(name, LONGEST_PORT);
  return label === '' ? `port-${port}` : label;
};
