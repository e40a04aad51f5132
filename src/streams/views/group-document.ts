// A service with `replicas` as a whole. Its state and health are computed from its instances
// (`docs/manifest.md`, "replicas").
// Rules: `docs/behaviour.md`, "Instances", "As a whole".
import { declaredName } from '../domain/ids.ts';
import type {
  GroupDocument,
  HealthWord,
  ProjectDocument,
  ServiceDocument,
  StateWord,
} from '../wire/documents/documents.ts';

/** The states of instances, worst first. The state of a group is the worst state of its instances. */
const WORST_FIRST: readonly StateWord[] = [
  'lost',
  'breaker-open',
  'failed',
  'casualty',
  'backoff',
  'stopping',
  'waiting',
  'starting',
  'running',
  'scheduled',
  'stopped',
  'skipped',
  'done',
];

const healthOf = (instances: readonly ServiceDocument[]): HealthWord => {
  if (instances.some(({ health }) => health === 'unhealthy')) return 'unhealthy';
  return instances.every(({ health }) => health === 'healthy') ? 'healthy' : 'unknown';
};

const isReady = ({ state, health }: ServiceDocument): boolean =>
  state === 'running' && health !== 'unhealthy';

const groupOf = (name: string, instances: readonly ServiceDocument[]): GroupDocument => ({
  name,
  replicas: instances.length,
  ready: instances.filter(isReady).length,
  state: WORST_FIRST.find((word) => instances.some(({ state }) => state === word)) ?? 'stopped',
  health: healthOf(instances),
  instances: instances.map((instance) => instance.name),
});

/** Returns the groups of these instances. A group is unhealthy if one of its instances is unhealthy. */
export const groupsOf = (services: readonly ServiceDocument[]): readonly GroupDocument[] => {
  const groups = new Map<string, ServiceDocument[]>();
  for (const service of services) {
    const name = declaredName(service.name);
    if (name === service.name) continue;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [service]);
    else known.push(service);
  }
  return [...groups].map(([name, instances]) => groupOf(name, instances));
};

/**
 * Returns the project, in which `groups` is set to the groups of its services. If there are no groups,
 * `groups` is absent.
 */
export const withGroups = ({ groups: _, ...project }: ProjectDocument): ProjectDocument => {
  const groups = groupsOf(project.services);
  return groups.length === 0 ? project : { ...project, groups };
};
