// The blue/green slot of a run, as it is shown.
import type { Service } from '../domain/service/service.ts';

/** `null` where slots mean nothing: one that is kept from an older declaration is nobody's business. */
export const shownSlot = ({ spec, slot }: Pick<Service, 'spec' | 'slot'>): string | null =>
  spec.deployment.blueGreen === undefined ? null : (slot ?? null);
