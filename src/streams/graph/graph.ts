// The dependency graph of all services, computed when declarations change, so that a step follows edges
// instead of searching.
// Rules: `docs/behaviour.md`, "Casualties", "A run depends on what was declared when it began";
// `docs/behaviour.md`, "Restart by hand", "A rollout that fails"; `docs/behaviour.md`, "Instances",
// "Dependents"; `docs/behaviour.md`, "One-shots".
import { instanceId, type ServiceId } from '../domain/ids.ts';
import type { Dependency, ServiceSpec } from '../domain/declared/spec.ts';

interface Node {
  readonly needs: readonly Dependency[];
  readonly neededBy: readonly ServiceId[];
  /** Dependents that require this service. */
  readonly requiredBy: readonly ServiceId[];
  /**
   * Services that depend with `required: false` on this service, or on a dependent of this service. They wait
   * while this service starts.
   */
  readonly attendedBy: readonly ServiceId[];
  /** Dependents by the newest declarations, and by older declarations that runs still use. */
  readonly usedBy: readonly ServiceId[];
  /** True if a dependent waits for the completion of this service. */
  readonly awaitedCompletion: boolean;
}
export type Graph = Readonly<Record<ServiceId, Node>>;

const UNCONNECTED: Node = {
  ...{ needs: [], neededBy: [], requiredBy: [], attendedBy: [], usedBy: [] },
  awaitedCompletion: false,
};

/** True if the dependent needs this dependency to start and to stay up. */
export const isRequired = ({ required }: Dependency): boolean => required !== false;

/** A function that finds a service by its id. */
type Find = (id: ServiceId) => { readonly leaving: boolean } | undefined;

/**
 * Returns the dependency. If its service has `replicas`, returns a dependency on each instance. Instances are
 * numbered without gaps. Instances that are being removed are left out.
 */
export const onInstances = (need: Dependency, find: Find): readonly Dependency[] => {
  if (find(need.service)?.leaving === false) return [need];
  const found: Dependency[] = [];
  for (let number = 1; ; number += 1) {
    const service = instanceId(need.service, number);
    const instance = find(service);
    if (instance === undefined) return found.length === 0 ? [need] : found;
    if (!instance.leaving) found.push({ ...need, service });
  }
};

type Dependents = ReadonlyMap<ServiceId, readonly ServiceId[]>;

const dependentsIn = (
  specs: readonly ServiceSpec[],
  counts: (need: Dependency) => boolean = () => true,
): Dependents => {
  const dependents = new Map<ServiceId, ServiceId[]>();
  for (const { id, dependsOn } of specs)
    for (const need of dependsOn) {
      if (!counts(need)) continue;
      const known = dependents.get(need.service);
      if (known === undefined) dependents.set(need.service, [id]);
      else known.push(id);
    }
  return dependents;
};

/**
 * Returns for each service the services that depend with `required: false` on this service or on one of its
 * dependents.
 */
const attendantsIn = (specs: readonly ServiceSpec[]): Dependents => {
  const waiting = dependentsIn(specs, (need) => !isRequired(need));
  if (waiting.size === 0) return waiting;
  const needs = new Map(specs.map(({ id, dependsOn }) => [id, dependsOn.map(({ service }) => service)]));
  const attendants = new Map<ServiceId, readonly ServiceId[]>();
  for (const [service, dependents] of waiting)
    for (const id of [service, ...reach([service], (each) => needs.get(each) ?? [])])
      attendants.set(id, united(attendants.get(id) ?? [], dependents));
  return attendants;
};

const united = <T>(one: readonly T[], other: readonly T[]): readonly T[] =>
  other.every((each) => one.includes(each)) ? one : [...new Set([...one, ...other])];

/**
 * Builds the graph, with the edges in both directions. A service that is not in `specs` gets no node.
 * `running`: the older declarations that runs still use.
 */
export const buildGraph = (specs: readonly ServiceSpec[], running: readonly ServiceSpec[] = []): Graph => {
  const dependents = dependentsIn(specs);
  const attendants = attendantsIn(specs);
  const required = attendants.size === 0 ? dependents : dependentsIn(specs, isRequired);
  const users = dependentsIn(running);
  const awaited = new Set(
    specs.flatMap(({ dependsOn }) =>
      dependsOn.flatMap(({ service, condition }) => (condition === 'completed' ? [service] : [])),
    ),
  );
  return Object.fromEntries(
    specs.map(({ id, dependsOn }) => {
      const neededBy = dependents.get(id) ?? [];
      const usedBy = united(neededBy, users.get(id) ?? []);
      const [requiredBy, attendedBy] = [required.get(id) ?? [], attendants.get(id) ?? []];
      const edges = { needs: dependsOn, neededBy, requiredBy, attendedBy, usedBy };
      return [id, { ...edges, awaitedCompletion: awaited.has(id) }];
    }),
  );
};

/** True if `to` already needs `from`, directly or through others, by the dependencies in `kept`. */
const closesCircle = (
  kept: ReadonlyMap<ServiceId, readonly Dependency[]>,
  from: ServiceId,
  to: ServiceId,
): boolean =>
  from === to || reach([to], (id) => (kept.get(id) ?? []).map(({ service }) => service)).includes(from);

/**
 * Returns the services in dependency cycles and all dependencies of these services. The function removes, one
 * by one, each service on which no remaining service depends, and returns the services that remain.
 */
const entangled = (specs: readonly ServiceSpec[]): ReadonlySet<ServiceId> => {
  const left = new Map(specs.map((spec) => [spec.id, spec]));
  const needed = new Map<ServiceId, number>();
  const count = (spec: ServiceSpec, by: number): void =>
    spec.dependsOn.forEach(({ service }) => needed.set(service, (needed.get(service) ?? 0) + by));
  specs.forEach((spec) => count(spec, 1));
  const free = specs.filter(({ id }) => (needed.get(id) ?? 0) === 0);
  for (let spec = free.pop(); spec !== undefined; spec = free.pop()) {
    // If a dependent declares the service twice, the service is in the list twice.
    if (!left.delete(spec.id)) continue;
    count(spec, -1);
    for (const { service } of spec.dependsOn) {
      const other = left.get(service);
      if (other !== undefined && needed.get(service) === 0) free.push(other);
    }
  }
  return new Set(left.keys());
};

/**
 * Returns the declarations without dependencies on unknown services and without cycles, which arise if older
 * and newer declarations are mixed.
 */
export const consistent = (specs: readonly ServiceSpec[]): readonly ServiceSpec[] => {
  const known = new Set(specs.map(({ id }) => id));
  const isMet = (spec: ServiceSpec): boolean => spec.dependsOn.every(({ service }) => known.has(service));
  const met = specs.every(isMet)
    ? specs
    : specs.map((spec) => ({
        ...spec,
        dependsOn: spec.dependsOn.filter(({ service }) => known.has(service)),
      }));
  const circling = entangled(met);
  if (circling.size === 0) return met;
  const kept = new Map<ServiceId, readonly Dependency[]>();
  return met.map((spec) => {
    if (!circling.has(spec.id)) return spec;
    const dependsOn = spec.dependsOn.filter(({ service }) => !closesCircle(kept, spec.id, service));
    kept.set(spec.id, dependsOn);
    return { ...spec, dependsOn };
  });
};

/** Returns the node of a service after these dependents were removed. */
const withoutDependents = (graph: Graph, id: ServiceId, gone: ReadonlySet<ServiceId>): Node => {
  const stay = (ids: readonly ServiceId[]): readonly ServiceId[] => ids.filter((each) => !gone.has(each));
  const node = nodeOf(graph, id);
  const neededBy = stay(node.neededBy);
  const usedBy = node.usedBy === node.neededBy ? neededBy : stay(node.usedBy);
  const awaits = ({ service, condition }: Dependency): boolean => service === id && condition === 'completed';
  const awaitedCompletion = neededBy.some((each) => nodeOf(graph, each).needs.some(awaits));
  return {
    ...node,
    neededBy,
    requiredBy: stay(node.requiredBy),
    usedBy,
    awaitedCompletion,
  };
};

/**
 * Returns the graph without the services in `gone`. Returns `undefined` if the graph must be built again: a
 * service that is not in `gone` depends on a service in `gone`, or a service in `gone` has optional
 * dependencies or is in the list `attendedBy` of its node.
 */
export const withoutNodes = (graph: Graph, gone: ReadonlySet<ServiceId>): Graph | undefined => {
  const changed: Record<ServiceId, Node> = { ...graph };
  for (const id of gone) {
    const { usedBy, attendedBy, needs } = nodeOf(graph, id);
    if (attendedBy.length > 0 || !needs.every(isRequired)) return undefined;
    if (!usedBy.every((each) => gone.has(each))) return undefined;
    Reflect.deleteProperty(changed, id);
    for (const { service } of needs)
      if (!gone.has(service)) changed[service] = withoutDependents(graph, service, gone);
  }
  return changed;
};

/** Returns the node of a service; a node without edges if the service is not in the graph. */
export const nodeOf = (graph: Graph, id: ServiceId): Node => graph[id] ?? UNCONNECTED;

/** Returns the services that can be reached from `from` through `next`, breadth-first, without `from`. */
export const reach = (
  from: readonly ServiceId[],
  next: (id: ServiceId) => readonly ServiceId[],
): readonly ServiceId[] => {
  const seen = new Set(from);
  const found: ServiceId[] = [];
  const meet = (id: ServiceId): void => {
    for (const other of next(id)) {
      if (seen.has(other)) continue;
      seen.add(other);
      found.push(other);
    }
  };
  from.forEach(meet);
  // The list grows during the iteration.
  for (const id of found) meet(id);
  return found;
};

/** Returns the direct and transitive dependents of a service. */
export const dependentsOf = (graph: Graph, id: ServiceId): readonly ServiceId[] =>
  reach([id], (each) => nodeOf(graph, each).neededBy);

const needsIn =
  (graph: Graph) =>
  (id: ServiceId): readonly ServiceId[] =>
    nodeOf(graph, id).needs.map(({ service }) => service);

/** Returns the services `ids` and all their dependencies. */
export const withDependencies = (graph: Graph, ids: readonly ServiceId[]): readonly ServiceId[] => [
  ...ids,
  ...reach(ids, needsIn(graph)),
];

/** Returns the services `ids` and all services that they require, directly or through others. */
export const withRequired = (graph: Graph, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const required = (id: ServiceId): readonly ServiceId[] =>
    nodeOf(graph, id)
      .needs.filter(isRequired)
      .map(({ service }) => service);
  return [...ids, ...reach(ids, required)];
};

/**
 * The maximum number of cached lists of dependents. The cache saves work if many services fail and recover.
 */
const MOST_KNOWN = 16;
const known = new WeakMap<Graph, Map<ServiceId, ReadonlySet<ServiceId>>>();

const allDependents = (graph: Graph, id: ServiceId): ReadonlySet<ServiceId> => {
  const ofGraph = known.get(graph) ?? new Map<ServiceId, ReadonlySet<ServiceId>>();
  known.set(graph, ofGraph);
  const dependents = ofGraph.get(id) ?? new Set(reach([id], (each) => nodeOf(graph, each).requiredBy));
  ofGraph.delete(id);
  ofGraph.set(id, dependents);
  const [oldest] = ofGraph.keys();
  if (ofGraph.size > MOST_KNOWN && oldest !== undefined) ofGraph.delete(oldest);
  return dependents;
};

/** True if the service `id` requires the service `other`, directly or through others. */
export const dependsOn = (graph: Graph, id: ServiceId, other: ServiceId): boolean =>
  allDependents(graph, other).has(id);

/**
 * Returns the services with changed dependencies, the dependencies of these services in `before`, and the
 * dependents of these services in `after`.
 */
export const touchedBetween = (before: Graph, after: Graph): readonly ServiceId[] => {
  const ids = Object.keys(before) as ServiceId[];
  const changed = ids.filter((id) => nodeOf(before, id).needs !== nodeOf(after, id).needs);
  if (changed.length === 0) return changed;
  return [...withDependencies(before, changed), ...reach(changed, (id) => nodeOf(after, id).neededBy)];
};

/** Returns the ids sorted, dependencies first. Uses a loop, because recursion could overflow the stack. */
export const inOrder = (graph: Graph, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const wanted = new Set(ids);
  const seen = new Set<ServiceId>();
  const order: ServiceId[] = [];
  // Each service is taken from the list twice: the first time, its dependencies are added to the list; the
  // second time, the service is added to the result.
  const work = ids.toReversed().map((id) => ({ id, place: false }));
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { id, place } = next;
    if (place) order.push(id);
    if (place || seen.has(id)) continue;
    seen.add(id);
    const needs = nodeOf(graph, id).needs.toReversed();
    work.push({ id, place: true }, ...needs.map(({ service }) => ({ id: service, place: false })));
  }
  return order.filter((id) => wanted.has(id));
};
