// Whether a service belongs to a selection, by the names that users write: `web`, `shop/web`, and with
// wildcards `web-*`, `shop/*`, `*/web`. Unknown names are refused before this.
import type { Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';

/** Anything with the names of a service. */
interface Named {
  readonly id: ServiceId;
  readonly name: string;
}

/** True if it may match several services: `*` is any number of characters, `?` is one. */
export const isPattern = (written: string): boolean => /[*?]/.test(written);

/**
 * True if the pattern matches the whole text. It backtracks only to the last `*`, so its cost is at most the
 * product of both lengths, for any pattern.
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

/** True if the written name means this service: with a slash its id, without one its bare name. */
export const means = (written: string, { id, name }: Named): boolean =>
  fits(written, written.includes('/') ? id : name);

export interface Selectable extends Named {
  readonly project: string;
  /** Absent if it is no longer known; it then matches any manifest. */
  readonly manifest?: string;
}

/** True if all given criteria match, each list by one entry; an empty selection matches every service. */
export const isSelected = (service: Selectable, { projects, services, manifest }: Selection): boolean =>
  (projects === undefined || projects.includes(service.project)) &&
  (services === undefined || services.some((written) => means(written, service))) &&
  (manifest === undefined || service.manifest === undefined || service.manifest === manifest);

/** True if it is selected by its own name, not by a pattern, a project or a manifest. */
export const isNamed = (service: Named, { services = [] }: Selection): boolean =>
  services.some((written) => !isPattern(written) && means(written, service));

/** True if the selection may include more than the named services: the result is then reported. */
export const isBulk = ({ services }: Selection): boolean =>
  services === undefined || services.some(isPattern);
