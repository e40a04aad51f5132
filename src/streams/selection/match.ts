// Tests whether a service belongs to a selection, by the names that users write: `web`, `shop/web`, and with
// wildcards `web-*`, `shop/*`, `*/web`. `select.ts` refuses names that match no service.
import type { Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';

/** An object with the id and the name of a service. */
interface Named {
  readonly id: ServiceId;
  readonly name: string;
}

/**
 * True if the name has a wildcard and so may match several services: `*` matches any number of characters,
 * `?` exactly one.
 */
export const isPattern = (written: string): boolean => /[*?]/.test(written);

/**
 * True if the pattern matches the whole text. It backtracks only to the last `*`, so it takes at most as many
 * steps as the product of both lengths.
 */
export const fits = (pattern: string, text: string): boolean => {
  let [at, star, tried] = [0, -1, 0];
  for (let read = 0; read < text.length;) {
    if (pattern[at] === '*') {
      [star, tried] = [at, read];
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[read])) {
      at += 1;
      read += 1;
    } else {
      if (star === -1) return false;
      tried += 1;
      [at, read] = [star + 1, tried];
    }
  }
  return /^\**$/.test(pattern.slice(at));
};

/**
 * True if the written name or pattern matches this service. It is compared with the id if it has a slash,
 * otherwise with the name.
 */
export const means = (written: string, { id, name }: Named): boolean =>
  fits(written, written.includes('/') ? id : name);

export interface Selectable extends Named {
  readonly project: string;
  /**
   * The path of the service's manifest. Absent if it is no longer known; the service then matches any
   * manifest.
   */
  readonly manifest?: string;
}

/**
 * True if the service matches all criteria of the selection; for a list, at least one of its entries. An
 * empty selection matches every service.
 */
export const isSelected = (service: Selectable, { projects, services, manifest }: Selection): boolean =>
  (projects === undefined || projects.includes(service.project)) &&
  (services === undefined || services.some((written) => means(written, service))) &&
  (manifest === undefined || service.manifest === undefined || service.manifest === manifest);

/**
 * True if the selection contains the name of the service itself, and not only a pattern, a project or a
 * manifest that matches it.
 */
export const isNamed = (service: Named, { services = [] }: Selection): boolean =>
  services.some((written) => !isPattern(written) && means(written, service));

/**
 * True if the selection may match services that it does not name; the command then lists the selected
 * services.
 */
export const isBulk = ({ services }: Selection): boolean =>
  services === undefined || services.some(isPattern);
