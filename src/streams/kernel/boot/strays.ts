// Strays: runs alive by their mark, although no record or manifest has their service. They are remembered,
// and adopted once a manifest declares it.
// Rules: `docs/behaviour.md`, "Adoption".
import type { Found } from '../../domain/event.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import { changeState, find, put, type Draft } from '../draft.ts';
import { adopted, WAITING } from './adoption.ts';
import { withRemnants } from './remnants.ts';

/** Wanted, since it ran; leftovers without a leader make room for a new run. */
const takenOver = (service: Service, found: readonly Found[], at: Instant): Service => {
  const wanted: Service = { ...service, wanted: 'up' };
  const newest = found.findLast(({ orphaned, child }) => !orphaned && !child);
  if (newest !== undefined) return withRemnants(adopted(wanted, newest, at), found, at);
  const idle: Service =
    service.spec.kind === 'cron'
      ? { ...wanted, actual: { tag: 'scheduled' } }
      : { ...wanted, actual: WAITING, gate: 'pending' };
  return withRemnants(idle, found, at);
};

/** Adopts the strays of services that are now known. */
export const adoptStrays = (draft: Draft): void => {
  const { strays } = draft.state;
  const taken = new Set<ServiceId>();
  for (const { service: id } of strays) {
    const service = taken.has(id) ? undefined : find(draft, id);
    if (service === undefined) continue;
    taken.add(id);
    const found = strays.filter((one) => one.service === id).toSorted((a, b) => a.run - b.run);
    put(draft, takenOver(service, found, draft.at));
  }
  if (taken.size === 0) return;
  changeState(draft, { strays: strays.filter(({ service }) => !taken.has(service)) });
};
