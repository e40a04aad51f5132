// Cgroups that a privileged supervisor left at the default root. One that holds a process cannot be removed.
import { readdirSync } from 'node:fs';
import type { Registered } from '../../../sinks/store/leftovers.ts';
import { removeCgroup } from '../../../sinks/privilege/cgroup.ts';
import { projectId, serviceId } from '../../../streams/domain/ids.ts';
import { CGROUP_ROOT } from '../../../streams/launch/cgroup-path.ts';
import type { Leftover, PurgeQuery } from '../../../streams/wire/protocol.ts';

const namesIn = (root: string): readonly string[] => {
  try {
    return readdirSync(root).sort();
  } catch {
    return [];
  }
};

/** Cgroups count as state. */
export const cgroupsLeft = (
  { services }: Registered,
  { projects, kinds }: PurgeQuery,
  root = CGROUP_ROOT,
): readonly Leftover[] => {
  if (!kinds.includes('state')) return [];
  return namesIn(root).flatMap((name) => {
    const [project = '', service] = name.split(':');
    if (service === undefined || services.has(serviceId(projectId(project), service))) return [];
    if (projects !== undefined && !projects.includes(project)) return [];
    return [{ project, kind: 'state' as const, path: `${root}/${name}` }];
  });
};

/** Returns the removed cgroups. */
export const removeCgroups = (cgroups: readonly Leftover[]): readonly Leftover[] =>
  cgroups.filter(({ path }) => removeCgroup(path));
