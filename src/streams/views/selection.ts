// Does a service belong to what was asked about? Names that mean nothing are refused before it comes to this.
import type { Selection } from '../domain/command.ts';
import type { ServiceSpec } from '../domain/spec.ts';

export const isSelected = (spec: ServiceSpec, { project, service, manifest }: Selection): boolean =>
  (project === undefined || spec.project === project) &&
  (service === undefined || spec.name === service || spec.id === service) &&
  (manifest === undefined || spec.manifest === manifest);
