// Makes names that Kubernetes permits: DNS labels, which begin with a letter, and each only once.

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

/** Returns different DNS labels in the same order: a name that occurs again gets a number. */
export const dnsLabels = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = dnsLabel(name) || 'service';
    let free = base;
    for (let number = 2; taken.has(free); number += 1)
      free = `${base.slice(0, LONGEST - 1 - String(number).length)}-${number}`;
    taken.add(free);
    return free;
  });
};

/** The longest name of a port. */
const LONGEST_PORT = 15;

/** Returns the name of a port: a DNS label with a letter in it. */
export const portName = (name: string, port: number): string => {
  const label = dnsLabel(name, LONGEST_PORT);
  return label === '' ? `port-${port}` : label;
};
