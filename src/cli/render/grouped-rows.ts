// The rows of a project in `sup status`: one row for each service. A service with `replicas` has one row for
// all its instances. If the instances are unfolded, a row for each instance follows (`docs/behaviour.md`,
// "Instances", "As a whole").
import type {
  GroupDocument,
  ProjectDocument,
  ServiceDocument,
} from '../../streams/wire/documents/documents.ts';
import { groupsOf } from '../../streams/views/group-document.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import type { ShownService } from './service-columns.ts';

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/**
 * Returns one row for all instances. It has counts and sums, but no value of a single instance, such as a
 * pid.
 */
const together = (group: GroupDocument, instances: readonly ServiceDocument[]): ShownService | undefined => {
  const [first] = instances;
  if (first === undefined) return undefined;
  const service: ServiceDocument = {
    ...first,
    name: group.name,
    state: group.state,
    health: group.health,
    pid: null,
    reason: null,
    error: null,
    last_exit: null,
    restarts_total: instances.reduce((sum, { restarts_total: restarts }) => sum + restarts, 0),
    cpu_percent: sumOf(instances.map(({ cpu_percent: cpu }) => cpu)),
    rss_bytes: sumOf(instances.map(({ rss_bytes: memory }) => memory)),
    awaits_restart: instances.some(({ awaits_restart: awaits }) => awaits),
    deploy: (instances.find(({ deploy }) => deploy.failed) ?? first).deploy,
  };
  return { service, count: `${group.ready}/${group.replicas}`, instances: group.instances };
};

/**
 * True if the command line has `-v` or names an instance. All instances are then listed, even if none is in
 * trouble.
 */
export const isUnfolded = (
  { verbose }: { readonly verbose: boolean },
  names: readonly string[] = [],
): boolean => verbose || names.some((name) => name.includes('@'));

/** The rows of a service. With `replicas`: the row of all instances, then the rows of single instances. */
type Block = readonly [ShownService, ...ShownService[]];

const blockOf = (all: ShownService, instances: readonly ServiceDocument[], unfolded: boolean): Block => {
  const isOpen = unfolded || instances.some(isInTrouble);
  return [all, ...(isOpen ? instances.map((service) => ({ service })) : [])];
};

/**
 * Returns the rows of a project, grouped by service. The instances of a group are listed if `unfolded` is
 * true or if an instance is in trouble.
 */
export const blocksOf = ({ services }: ProjectDocument, unfolded: boolean): readonly Block[] => {
  const groups = groupsOf(services).filter(({ replicas }) => replicas > 1);
  const groupAt = new Map(groups.flatMap((group) => group.instances.map((name) => [name, group] as const)));
  const known = new Map(services.map((service) => [service.name, service]));
  return services.flatMap((service): readonly Block[] => {
    const group = groupAt.get(service.name);
    if (group === undefined) return [[{ service }]];
    if (group.instances[0] !== service.name) return [];
    const instances = group.instances.flatMap((name) => known.get(name) ?? []);
    const all = together(group, instances);
    return all === undefined ? [] : [blockOf(all, instances, unfolded)];
  });
};
