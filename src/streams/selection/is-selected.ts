// Whether a service belongs to a selection. Unknown names are refused before this.
import type { Selection } from '../domain/command.ts';
import { isPattern, means, type Named } from './pattern.ts';

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
