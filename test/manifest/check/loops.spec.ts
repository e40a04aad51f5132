import { describe, expect, it } from 'vitest';
import { loopsOf } from '../../../src/manifest/check/dependencies.ts';

const graph = (edges: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(edges));

describe('the loops of a graph', () => {
  it('are none in a diamond', () => {
    expect(loopsOf(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
  });

  it('begin and end with the same name', () => {
    expect(loopsOf(graph({ a: ['b'], b: ['c', 'b'], c: ['a'] }))).toEqual([
      ['a', 'b', 'c', 'a'],
      ['b', 'b'],
    ]);
  });

  it('are found at the end of a chain of 100,000', () => {
    const edges = new Map(Array.from({ length: 100_000 }, (_, n) => [`${n}`, [`${n + 1}`]] as const));
    edges.set('100000', ['99999']);
    expect(loopsOf(edges)).toEqual([['99999', '100000', '99999']]);
  });
});
