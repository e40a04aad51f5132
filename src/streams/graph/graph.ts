// Who needs whom, computed once per registration, so that a step follows edges instead of searching.
import type { ServiceId } from '../domain/ids.ts';
import type { Dependency, ServiceSpec } from '../domain/declared/spec.ts';

interface Node {
  readonly needs: readonly Dependency[];
  readonly neededBy: readonly ServiceId[];
  /** Some dependent waits for its completion. */
  readonly awaitedCompletion: boolean;
}
export type Graph = Readonly<Record<ServiceId, Node>>;

const NOBODY: Node = { needs: [], neededBy: [], awaitedCompletion: false };

/** Both directions of `depends_on`. Who is not among `specs` is kept as a need, and has no entry of its own. */
export const buildGraph = (specs: readonly ServiceSpec[]): Graph => {
  const neededBy = new Map<ServiceId, ServiceId[]>();
  const awaited = new Set<ServiceId>();
  for (const spec of specs)
    for (const { service, condition } of spec.dependsOn) {
      neededBy.set(service, [...(neededBy.get(service) ?? []), spec.id]);
      if (condition === 'completed') awaited.add(service);
    }
  return Object.fromEntries(
    specs.map(({ id, dependsOn }) => [
      id,
      { needs: dependsOn, neededBy: neededBy.get(id) ?? [], awaitedCompletion: awaited.has(id) },
    ]),
  );
};

/** Whoever is not in the graph needs nobody and is needed by nobody. */
export const nodeOf = (graph: Graph, id: ServiceId): Node => graph[id] ?? NOBODY;

/** Everybody reachable along `next`, in breadth-first order, without `from`. */
export const reach = (
  from: readonly ServiceId[],
  next: (id: ServiceId) => readonly ServiceId[],
): readonly ServiceId[] => {
  const seen = new Set(from);
  const found: ServiceId[] = [];
  const work = [...from];
  for (let id = work.shift(); id !== undefined; id = work.shift())
    for (const other of next(id).filter((candidate) => !seen.has(candidate))) {
      seen.add(other);
      found.push(other);
      work.push(other);
    }
  return found;
};

/** Direct and transitive dependents. */
export const dependentsOf = (graph: Graph, id: ServiceId): readonly ServiceId[] =>
  reach([id], (each) => nodeOf(graph, each).neededBy);

/** The services and all that they need, directly or not. */
export const withDependencies = (graph: Graph, ids: readonly ServiceId[]): readonly ServiceId[] => [
  ...ids,
  ...reach(ids, (each) => nodeOf(graph, each).needs.map(({ service }) => service)),
];

/** Dependencies before dependents; otherwise in the order given. However deep: without recursion. */
export const inOrder = (graph: Graph, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const wanted = new Set(ids);
  const seen = new Set<ServiceId>();
  const order: ServiceId[] = [];
  // Everybody is met twice: before those that it needs, and after them, to be placed.
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
