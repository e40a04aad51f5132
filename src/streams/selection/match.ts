// Tests whether a service belongs to a selection. Users write names in these forms: `web`, `shop/web`,
// `web-*`, `*/web`, `web@2`.
// Rules: `docs/behaviour.md`, "Instances", "A name selects all instances".
import type { Selection } from '../domain/command.ts';
import { declaredName, type ServiceId } from '../domain/ids.ts';

interface Named {
  readonly id: ServiceId;
  readonly name: string;
}

/** True if the name has a wildcard: `*` matches any number of characters, `?` exactly one. */
export const isPattern = (written: string): boolean => /[*?]/.test(written);

/**
 * True if the pattern matches the whole text. Backtracks only to the last `*`, so that the time is limited.
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
 * True if the written name or pattern matches the service. If `written` has a slash, it is compared with the
 * id of the service, and otherwise with the name of the service. `web` also matches the instances `web@1`,
 * `web@2` of a service with `replicas`.
 */
export const means = (written: string, { id, name }: Named): boolean => {
  const text = written.includes('/') ? id : name;
  return fits(written, text) || (text.includes('@') && fits(written, declaredName(text)));
};

export interface Selectable extends Named {
  readonly project: string;
  /** The path of the service's manifest. Without a path, the service belongs to any selected manifest. */
  readonly manifest?: string;
}

/** True if the service matches all criteria of the selection. An empty selection matches every service. */
export const isSelected = (service: Selectable, { projects, services, manifest }: Selection): boolean =>
  (projects === undefined || projects.includes(service.project)) &&
  (services === undefined || services.some((written) => means(written, service))) &&
  (manifest === undefined || service.manifest === undefined || service.manifest === manifest);

/**
 * True if the selection contains the name of the service itself. A matching pattern, project or manifest is
 * not enough.
 */
export const isNamed = (service: Named, { services = [] }: Selection): boolean =>
  services.some((written) => !isPattern(written) && means(written, service));

/**
 * True if the selection may match services that it does not name. The command line then shows these services.
 */
export const isBulk = ({ services }: Selection): boolean =>
  services === undefined || services.some(isPattern);
