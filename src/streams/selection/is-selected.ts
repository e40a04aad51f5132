// Does a service belong to what was asked about? Names that mean nothing are refused before it comes to this.
import type { Selection } from '../domain/command.ts';
import { isPattern, means, type Named } from './pattern.ts';

export interface Selectable extends Named {
  readonly project: string;
  /** Absent where it is not known any more: then it may be any. */
  readonly manifest?: string;
}

/** All that is given must fit, and of each list one entry; an empty selection means everybody. */
export const isSelected = (service: Selectable, { projects, services, manifest }: Selection): boolean =>
  (projects === undefined || projects.includes(service.project)) &&
  (services === undefined || services.some((written) => means(written, service))) &&
  (manifest === undefined || service.manifest === undefined || service.manifest === manifest);

/** Whether it is asked for by its own name: a pattern, a project and a manifest name nobody in particular. */
export const isNamed = (service: Named, { services = [] }: Selection): boolean =>
  services.some((written) => !isPattern(written) && means(written, service));

/** Whether the selection may take in more than those who are named: then it is told what it takes in. */
export const isBulk = ({ services }: Selection): boolean =>
  services === undefined || services.some(isPattern);
