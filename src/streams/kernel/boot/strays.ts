// Who is alive by its mark although neither a record nor a manifest tells of its service: it is kept in mind, and taken
// over as soon as a manifest declares it.
import type { Found } from '../../domain/event.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import { find, put, type Draft } from '../draft.ts';
import { adopted, WAITING } from './adoption.ts';
import { withRemnants } from './remnants.ts';

/** It ran, so it is wanted; who is left without a leader makes room for a new run. */
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

/** Those of the strays whose services are known by now are taken over. */
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
  draft.state = { ...draft.state, strays: strays.filter(({ service }) => !taken.has(service)) };
};
