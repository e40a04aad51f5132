// The blue/green slot of a run, for documents.
import type { Service } from '../domain/service/service.ts';

/** The slot of a run; `null` if its declaration has no slots, even if it still has an older one's. */
export const shownSlot = ({ spec, slot }: Pick<Service, 'spec' | 'slot'>): string | null =>
  spec.deployment.blueGreen === undefined ? null : (slot ?? null);
