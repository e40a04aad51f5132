// Purges with the registrations that a running supervisor knows: they cannot change between check and move.
import { leftoversIn, setAside, type Registered } from './leftovers.ts';
import { projectId } from '../../streams/domain/ids.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import type { Methods, PurgeQuery } from '../../streams/wire/protocol.ts';

const registeredIn = ({ projects, roster }: SupervisorState): Registered => {
  const specs = servicesOf(roster).map(({ spec }) => spec);
  return {
    projects: new Set([...Object.keys(projects).map(projectId), ...specs.map(({ project }) => project)]),
    services: new Set(specs.map(({ id }) => id)),
  };
};

/**
 * Moves what a purge removes out of the way, and returns what it moved. Files of registered projects stay.
 */
export const purgeIn = (
  layout: Layout,
  state: SupervisorState,
  query: PurgeQuery,
): Methods['purge']['result']['removed'] => setAside(layout, leftoversIn(layout, registeredIn(state), query));
