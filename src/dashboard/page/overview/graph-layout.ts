// Computes positions for the graph: each service is in a layer to the right of the services that it needs.
import { declaredName } from '../../../streams/domain/ids.ts';
import type { Edge } from '../../page-messages.ts';

export interface GraphNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface GraphLine {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly required: boolean;
  readonly condition: string;
}

interface GraphLayout {
  readonly nodes: readonly GraphNode[];
  readonly lines: readonly GraphLine[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 160, height: 28 };
const COLUMN = NODE.width + 64;
const ROW = NODE.height + 10;
const MARGIN = 8;

/** Returns the edges between declared services. The edges of all replicas of a service become one edge. */
const declaredEdges = (edges: readonly Edge[]): readonly Edge[] => {
  const found = new Map<string, Edge>();
  for (const edge of edges) {
    const [service, needs] = [declaredName(edge.service), declaredName(edge.needs)];
    found.set(`${service} ${needs}`, { ...edge, service, needs });
  }
  return [...found.values()];
};

const neighbours = (
  edges: readonly Edge[],
  from: 'service' | 'needs',
): ReadonlyMap<string, readonly string[]> => {
  const lists = new Map<string, string[]>();
  for (const edge of edges) {
    const list = lists.get(edge[from]) ?? [];
    list.push(edge[from === 'service' ? 'needs' : 'service']);
    lists.set(edge[from], list);
  }
  return lists;
};

/** Returns for each service its layer: the length of the longest path to a service that needs nothing. */
const layersOf = (
  ids: readonly string[],
  needs: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>();
  const layerOf = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    // The layer is set before the recursion, so that the recursion would end even for a dependency cycle. No
    // valid manifest has a cycle.
    layers.set(id, 0);
    const layer = Math.max(-1, ...(needs.get(id) ?? []).map(layerOf)) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const id of ids) layerOf(id);
  return layers;
};

/** Returns the sets of services that are connected with each other by dependencies. */
const components = (ids: readonly string[], edges: readonly Edge[]): readonly (readonly string[])[] => {
  const [needs, needed] = [neighbours(edges, 'service'), neighbours(edges, 'needs')];
  const seen = new Set<string>();
  const reach = (start: string): readonly string[] => {
    const found: string[] = [];
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      found.push(id);
      open.push(...(needs.get(id) ?? []), ...(needed.get(id) ?? []));
    }
    return found;
  };
  return ids.map(reach).filter((found) => found.length > 0);
};

/**
 * Sorts the services of each layer by the mean row of the services that they need, so that fewer lines cross.
 */
const rowsOf = (
  layers: readonly (readonly string[])[],
  needs: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>();
  const mean = (id: string): number => {
    const known = (needs.get(id) ?? []).map((need) => rows.get(need) ?? 0);
    return known.length === 0 ? 0 : known.reduce((all, row) => all + row, 0) / known.length;
  };
  for (const layer of layers)
    [...layer].sort((one, other) => mean(one) - mean(other)).forEach((id, row) => rows.set(id, row));
  return rows;
};

const inLayers = (
  ids: readonly string[],
  layers: ReadonlyMap<string, number>,
): readonly (readonly string[])[] => {
  const count = Math.max(...ids.map((id) => layers.get(id) ?? 0)) + 1;
  return Array.from({ length: count }, (_, layer) => ids.filter((id) => layers.get(id) === layer).sort());
};

/**
 * Returns the layout of all services that have a dependency or a dependent. The largest connected set is
 * first.
 */
export const graphLayout = (all: readonly Edge[]): GraphLayout => {
  const edges = declaredEdges(all);
  const ids = [...new Set(edges.flatMap(({ service, needs }) => [service, needs]))].sort();
  const needs = neighbours(edges, 'service');
  const layers = layersOf(ids, needs);
  const nodes = new Map<string, GraphNode>();
  let top = MARGIN;
  for (const set of [...components(ids, edges)].sort((one, other) => other.length - one.length)) {
    const columns = inLayers(set, layers);
    const rows = rowsOf(columns, needs);
    for (const id of set)
      nodes.set(id, {
        id,
        x: MARGIN + (layers.get(id) ?? 0) * COLUMN,
        y: top + (rows.get(id) ?? 0) * ROW,
      });
    top += Math.max(...columns.map(({ length }) => length)) * ROW + ROW / 2;
  }
  const lines = edges.flatMap(({ service, needs: need, required, condition }): readonly GraphLine[] => {
    const [from, to] = [nodes.get(need), nodes.get(service)];
    return from === undefined || to === undefined ? [] : [{ from, to, required, condition }];
  });
  const depth = Math.max(0, ...layers.values());
  return {
    nodes: [...nodes.values()],
    lines,
    width: 2 * MARGIN + depth * COLUMN + NODE.width,
    height: top - ROW / 2,
  };
};
