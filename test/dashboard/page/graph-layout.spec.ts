import { describe, expect, it } from 'vitest';
import { graphLayout, NODE } from '../../../src/dashboard/page/overview/graph-layout.ts';

const edge = (service: string, needs: string) => ({ service, needs, condition: 'healthy', required: true });
const placesOf = (layout: ReturnType<typeof graphLayout>) =>
  new Map(layout.nodes.map((node) => [node.id, node]));

describe('the graph of dependencies', () => {
  it('a service is right of everything it needs', () => {
    const layout = graphLayout([edge('s/web', 's/api'), edge('s/api', 's/db'), edge('s/web', 's/db')]);
    const [db, api, web] = ['s/db', 's/api', 's/web'].map((id) => placesOf(layout).get(id)?.x ?? NaN);
    expect(db).toBeLessThan(api ?? NaN);
    expect(api).toBeLessThan(web ?? NaN);
    expect(layout.lines).toHaveLength(3);
  });

  it('replicas are one node with one line', () => {
    const layout = graphLayout([edge('s/w@1', 's/q'), edge('s/w@2', 's/q')]);
    expect([...placesOf(layout).keys()]).toEqual(['s/q', 's/w']);
    expect(layout.lines).toHaveLength(1);
  });

  it('no two nodes overlap, also of many services', () => {
    const edges = Array.from({ length: 499 }, (_, at) => edge(`p/s${at + 1}`, `p/s${Math.floor(at / 4)}`));
    const { nodes, height } = graphLayout([...edges, edge('other/b', 'other/a')]);
    const places = new Set(nodes.map(({ x, y }) => `${x} ${y}`));
    expect(places.size).toBe(502);
    expect(Math.max(...nodes.map(({ y }) => y + NODE.height))).toBeLessThanOrEqual(height);
  });

  it('a loop ends', () => {
    expect(graphLayout([edge('a/a', 'a/b'), edge('a/b', 'a/a')]).nodes).toHaveLength(2);
  });
});
