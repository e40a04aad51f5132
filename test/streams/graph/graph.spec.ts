import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf, type ServiceId } from '../../../src/streams/domain/ids.ts';
import {
  buildGraph,
  consistent,
  dependentsOf,
  inOrder,
  nodeOf,
  onInstances,
  reach,
  withDependencies,
  withoutNodes,
} from '../../../src/streams/graph/graph.ts';
import type { Dependency, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';

/** web → cache → db, and job → db with the condition `completed`. mail has no dependencies. */
const graph = buildGraph([
  specOf('web', { dependsOn: needs('cache') }),
  specOf('cache', { dependsOn: needs('db') }),
  specOf('db'),
  specOf('job', { dependsOn: [{ service: idOf('db'), condition: 'completed' }] }),
  specOf('mail'),
]);
const ids = (...names: readonly string[]): readonly ServiceId[] => names.map(idOf);
const names = (found: readonly ServiceId[]): string => found.map(nameOf).join(' ');

describe('the dependency graph', () => {
  it('the graph knows the dependents of each service, and which wait for its completion', () => {
    expect(nodeOf(graph, idOf('db'))).toEqual({
      needs: [],
      neededBy: ids('cache', 'job'),
      requiredBy: ids('cache', 'job'),
      attendedBy: [],
      usedBy: ids('cache', 'job'),
      awaitedCompletion: true,
    });
    expect(nodeOf(graph, idOf('cache')).awaitedCompletion).toBe(false);
  });

  it('the graph knows the services that still have a declaration with a given name', () => {
    const newest = [specOf('db'), specOf('web'), specOf('job', { dependsOn: needs('db') })];
    const older = [specOf('web', { dependsOn: needs('db') })];
    expect(nodeOf(buildGraph(newest, older), idOf('db'))).toMatchObject({
      neededBy: ids('job'),
      usedBy: ids('job', 'web'),
    });
  });

  it('the graph has nothing for an unknown service', () => {
    expect(nodeOf(graph, idOf('nobody'))).toEqual({
      needs: [],
      neededBy: [],
      requiredBy: [],
      attendedBy: [],
      usedBy: [],
      awaitedCompletion: false,
    });
  });

  it.each([
    ['db', 'cache job web'],
    ['cache', 'web'],
    ['web', ''],
    ['mail', ''],
  ])('the graph has as dependents of %s, nearest first: %s', (name, dependents) => {
    expect(names(dependentsOf(graph, idOf(name)))).toBe(dependents);
  });

  it('the graph adds direct and indirect dependencies to services, each once', () => {
    expect(names(withDependencies(graph, ids('web', 'job')))).toBe('web job cache db');
  });

  it.each([
    [['web', 'cache', 'db', 'mail'], 'db cache web mail'],
    [['mail', 'web', 'db'], 'mail db web'],
    [['job', 'cache'], 'job cache'],
    [[], ''],
  ])('the graph puts %j in order: %s', (given, ordered) => {
    expect(names(inOrder(graph, ids(...given)))).toBe(ordered);
  });

  it.each<[string, Readonly<Record<string, readonly string[]>>, string]>([
    ['as they are', { a: ['b'], b: ['c'], c: [] }, 'a>b b>c'],
    ['without a need of nobody', { a: ['gone', 'b'], b: [] }, 'a>b'],
    ['without what closes a circle', { a: ['b'], b: ['a'] }, 'a>b'],
    ['without what closes a longer one', { a: ['b'], b: ['c'], c: ['d', 'a'], d: [] }, 'a>b b>c c>d'],
    ['with the same need twice', { a: ['b', 'b'], b: ['c'], c: [], d: ['c'] }, 'a>b a>b b>c d>c'],
    ['but for who needs itself', { a: ['a', 'b'], b: [] }, 'a>b'],
    ['behind a circle too', { a: ['b'], b: ['a', 'c'], c: ['d'], d: [] }, 'a>b b>c c>d'],
    ['before a circle too', { x: ['a'], a: ['b'], b: ['a'] }, 'x>a a>b'],
    ['in two circles', { a: ['b'], b: ['a'], c: ['d', 'a'], d: ['c'] }, 'a>b c>d c>a'],
  ])('the graph uses declarations %s', (_, declared, kept) => {
    const specs = Object.entries(declared).map(([name, of]) => specOf(name, { dependsOn: needs(...of) }));
    const edges = consistent(specs).flatMap(({ name, dependsOn }) =>
      dependsOn.map(({ service }) => `${name}>${nameOf(service)}`),
    );
    expect(edges.join(' ')).toBe(kept);
  });

  it('the graph uses the same declaration objects for services outside of cycles', () => {
    const db = specOf('db');
    const cache = specOf('cache', { dependsOn: needs('db') });
    const circle = [specOf('a', { dependsOn: needs('b') }), specOf('b', { dependsOn: needs('a') })];
    const web = specOf('web', { dependsOn: needs('a', 'cache') });
    const [first, second] = consistent([web, cache, db, ...circle]);
    expect(first).toBe(web);
    expect(second).toBe(cache);
  });

  it('the graph knows which services wait with an optional dependency, directly or through others', () => {
    const optional = buildGraph([
      specOf('web', { dependsOn: [{ service: idOf('cache'), condition: 'started', required: false }] }),
      specOf('cache', { dependsOn: needs('db') }),
      specOf('db'),
    ]);
    const attendants = ['web', 'cache', 'db'].map((name) => nodeOf(optional, idOf(name)).attendedBy);
    expect(attendants).toEqual([[], ids('web'), ids('web')]);
  });

  it.each([
    ['db, which exists', 'db', { db: 'stays' }],
    ['db, which does not exist', 'db', {}],
    ['db, whose former instances leave', 'db', { db: 'stays', 'db@1': 'leaves' }],
    ['db, which leaves for its instances', 'db@1 db@2', { db: 'leaves', 'db@1': 'stays', 'db@2': 'stays' }],
    ['instances of db, some of which leave', 'db@1', { 'db@1': 'stays', 'db@2': 'leaves' }],
    ['instances of db that all leave', 'db', { 'db@1': 'leaves' }],
  ])('the graph turns a dependency on %s into dependencies on: %s', (_, found, states) => {
    const byId = new Map(
      Object.entries(states).map(([name, state]) => [idOf(name), { leaving: state === 'leaves' }]),
    );
    const instances = needs('db').flatMap((need) => onInstances(need, (id) => byId.get(id)));
    expect(names(instances.map(({ service }) => service))).toBe(found);
  });

  it('the graph terminates for a cycle', () => {
    const circle = buildGraph([
      specOf('a', { dependsOn: needs('b') }),
      specOf('b', { dependsOn: needs('a') }),
    ]);
    expect(names(dependentsOf(circle, idOf('a')))).toBe('b');
    expect(names(inOrder(circle, ids('a', 'b')))).toBe('b a');
    expect(reach(ids('a'), () => ids('a', 'b'))).toEqual(ids('b'));
  });

  it('the graph orders a chain of ten thousand services', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) =>
      specOf(`s${index}`, { dependsOn: needs(...(index === 0 ? [] : [`s${index - 1}`])), digest: 'x' }),
    );
    const long = buildGraph(chain);
    const [first, last] = [idOf('s0'), idOf('s9999')];
    expect(dependentsOf(long, first)).toHaveLength(9_999);
    expect(inOrder(long, [last, first])).toEqual([first, last]);
  });
});

describe('the graph without services that have left', () => {
  const SIZE = 8;
  const need = fc.record({
    from: fc.nat(SIZE - 1),
    to: fc.nat(SIZE - 1),
    form: fc.constantFrom<Partial<Dependency>>({}, { condition: 'completed' }, { required: false }),
  });
  const nameAt = (index: number): string => `s${index}`;
  const specsOf = (
    drawn: readonly { from: number; to: number; form: Partial<Dependency> }[],
  ): ServiceSpec[] =>
    Array.from({ length: SIZE }, (_, index) => {
      const dependsOn = drawn
        .filter(({ from, to }) => from === index && to < from)
        .map(({ to, form }): Dependency => ({ service: idOf(nameAt(to)), condition: 'started', ...form }));
      return specOf(nameAt(index), { dependsOn, digest: 'x' });
    });

  it('the graph without services is that of the others, or must be built again', () => {
    let kept = 0;
    fc.assert(
      fc.property(fc.array(need, { maxLength: 10 }), fc.uniqueArray(fc.nat(SIZE - 1)), (drawn, leaving) => {
        const specs = specsOf(drawn);
        const gone = new Set(leaving.map((index) => idOf(nameAt(index))));
        const left = withoutNodes(buildGraph(specs), gone);
        if (left === undefined) return;
        kept += 1;
        expect(left).toEqual(buildGraph(consistent(specs.filter(({ id }) => !gone.has(id)))));
      }),
    );
    expect(kept).toBeGreaterThan(10);
  });

  it('the graph must be built again if a service stays that uses one that has left', () => {
    expect(withoutNodes(graph, new Set(ids('db')))).toBeUndefined();
    expect(withoutNodes(graph, new Set(ids('web', 'job', 'mail')))).toEqual(
      buildGraph([specOf('cache', { dependsOn: needs('db') }), specOf('db')]),
    );
  });
});
