import { describe, expect, it } from 'vitest';
import { loopsOf } from '../../../src/manifest/check/dependencies.ts';
import { loadText, toldOf } from '../loading.ts';

const servicesWith = (edges: Readonly<Record<string, string>>): string =>
  Object.entries(edges)
    .map(([name, needs]) => `      ${name}: { command: x, depends_on: [${needs}] }`)
    .join('\n');

const told = (edges: Readonly<Record<string, string>>): readonly string[] =>
  toldOf(loadText(`version: 2\nprojects:\n  p:\n    services:\n${servicesWith(edges)}\n`).problems);

describe('dependencies', () => {
  it('dependencies may form any graph without a cycle', () => {
    expect(told({ a: '', b: 'a', c: 'a, b', d: 'c, b, a' })).toEqual([]);
  });

  it('a dependency on an unknown service is refused with the nearest name (ERR0214)', () => {
    const { problems } = loadText(
      'version: 2\nservices: { database: { command: x }, w: { command: x, depends_on: [databse] } }',
    );
    expect(problems).toMatchObject([
      { code: 'ERR0214', path: 'services.w.depends_on[0]', hint: 'did you mean "database"?' },
    ]);
  });

  it('a dependency on an unknown service does not suggest the service itself', () => {
    const { problems } = loadText(
      'version: 2\nservices: { web1: { command: x, depends_on: [web2] }, mail: { command: x } }',
    );
    expect(problems).toMatchObject([{ code: 'ERR0214', path: 'services.web1.depends_on[0]' }]);
    expect(problems[0]).not.toHaveProperty('hint');
  });

  it('dependencies stay inside one project', () => {
    const text =
      'version: 2\nprojects: { p: { services: { a: { command: x, depends_on: [b] } } } }\nservices: { b: { command: x } }';
    expect(toldOf(loadText(text).problems)).toEqual([
      'ERR0214 projects.p.services.a.depends_on[0]: "b" is not a service of the same project',
    ]);
  });

  it.each([
    [{ a: 'a' }, 'a → a'],
    [{ a: 'b', b: 'a' }, 'a → b → a'],
    [{ x: 'a', a: 'b', b: 'c', c: 'a' }, 'a → b → c → a'],
    [{ a: 'b, b', b: 'a, a' }, 'a → b → a'],
    [{ a: 'a, a' }, 'a → a'],
  ])('dependencies in a cycle %j are refused, printed as the cycle (ERR0215)', (edges, loop) => {
    const lines = told(edges);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^ERR0215 projects\.p\.services\.\w\.depends_on\[0\]: /);
    expect(lines[0]).toContain(`dependency cycle: ${loop}`);
  });

  it.each([
    ['cron: { expression: "0 3 * * *" }', 'has cron'],
    ['restart_policy: always', 'has restart_policy always'],
  ])('dependencies cannot wait for completion if %s never allows it (ERR0222)', (key, why) => {
    const job = `job: { command: x, ${key} }`;
    const manifest = (condition: string): string =>
      `version: 2\nservices: { ${job}, w: { command: x, depends_on: [{ service: job, condition: ${condition} }] } }`;
    expect(toldOf(loadText(manifest('completed')).problems)).toEqual([
      `ERR0222 services.w.depends_on[0].condition: "job" never completes: it ${why}`,
    ]);
    expect(toldOf(loadText(manifest('started')).problems)).toEqual([]);
  });

  it('dependencies in two cycles report both', () => {
    expect(told({ a: 'b', b: 'a', c: 'd', d: 'c' })).toHaveLength(2);
  });
});

const graph = (edges: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(edges));

describe('the cycles of a graph', () => {
  it('a diamond has no cycles', () => {
    expect(loopsOf(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([]);
  });

  it('a cycle begins and ends with the same name', () => {
    expect(loopsOf(graph({ a: ['b'], b: ['c', 'b'], c: ['a'] }))).toEqual([
      ['a', 'b', 'c', 'a'],
      ['b', 'b'],
    ]);
  });

  it('a cycle is found at the end of a chain of 100,000', () => {
    const edges = new Map(Array.from({ length: 100_000 }, (_, n) => [`${n}`, [`${n + 1}`]] as const));
    edges.set('100000', ['99999']);
    expect(loopsOf(edges)).toEqual([['99999', '100000', '99999']]);
  });
});
