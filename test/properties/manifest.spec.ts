// Whatever a file holds, loading it ends soon, with a manifest or with errors, never with an exception. In the suite a
// few hundred inputs; SUP_FUZZ_RUNS=10000 for a long look.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { problemsDocument, renderProblems } from '../../src/cli/render/problems.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { migrate } from '../../src/manifest/migrate/migration.ts';
import type { LoadResult } from '../../src/streams/domain/declared/manifest.ts';

const RUNS = Number(process.env['SUP_FUZZ_RUNS'] ?? 400);
/** One load, in processor time: a busy machine makes no difference. */
const LONGEST_US = 1_000_000;
const MOST_MEMORY = 300 * 1024 * 1024;

const directory = mkdtempSync(join(tmpdir(), 'sup-fuzz-'));
const path = join(directory, 'sup.yaml');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ports = { environment: { HOME: '/root' }, uid: process.getuid?.() ?? 0, sys: false };

const load = (content: string | Uint8Array): LoadResult => {
  writeFileSync(path, content, { mode: 0o644 });
  return loadManifest(path, ports);
};

/** What must hold for every input. */
const check = (content: string | Uint8Array): void => {
  const before = process.cpuUsage();
  const result = load(content);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(LONGEST_US);
  expect(result.manifest === undefined).toBe(result.problems.some(({ severity }) => severity === 'error'));
  expect(problemsDocument(result.problems).valid).toBe(result.manifest !== undefined);
  const rendered = renderProblems(result.problems, { color: false });
  expect(rendered.includes('\u001b')).toBe(false);
  for (const { line, column } of result.problems) expect([line === 0, column === 0]).toEqual([false, false]);
};

const corpus = new URL('../corpus/', import.meta.url);
const seeds = ['good', 'bad'].flatMap((kind) =>
  readdirSync(new URL(kind, corpus)).map((name) => readFileSync(new URL(`${kind}/${name}`, corpus), 'utf8')),
);

const SPICES = [
  ...[
    '\t',
    '\r\n',
    '\n',
    '  ',
    ':',
    ': ',
    '- ',
    '? ',
    '|',
    '>',
    '#',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '\uFEFF',
    '\u0000',
  ],
  ...[
    '&a ',
    '*a',
    '<<: *a',
    '!include sup.yaml',
    '!include /dev/null',
    '!x ',
    '%YAML 1.1\n---\n',
    '---\n',
    '...\n',
  ],
  ...[
    '${HOME}',
    '${',
    '${A:-${B',
    '$$',
    '~',
    'null',
    'true',
    '.inf',
    '.nan',
    '0x10',
    '1e400',
    '-0',
    '9'.repeat(400),
  ],
  ...['__proto__', 'constructor', 'ü', '🦊', '\ud800', 'x'.repeat(3000), '['.repeat(60), '- '.repeat(60)],
];

interface Mutation {
  readonly at: number;
  readonly cut: number;
  readonly spice: string;
}

const mutated = (text: string, mutations: readonly Mutation[]): string =>
  mutations.reduce((before, { at, cut, spice }) => {
    const start = Math.floor(at * (before.length + 1));
    return before.slice(0, start) + spice + before.slice(start + cut);
  }, text);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat({ max: 12 }),
  spice: fc.constantFrom('', ...SPICES),
});
const realManifest = fc
  .tuple(fc.constantFrom(...seeds), fc.array(mutation, { minLength: 1, maxLength: 6 }))
  .map(([text, mutations]) => mutated(text, mutations));

const KEYS = [
  ...[
    'services',
    'projects',
    'project',
    'env',
    'vars',
    'file',
    'logs',
    'status',
    'metrics',
    'command',
    'exec',
    'hooks',
  ],
  ...[
    'depends_on',
    'deployment',
    'health_check',
    'blue_green',
    'limits',
    'cgroup',
    'isolation',
    'cron',
    'backoff',
    'a',
  ],
];
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', 'x', '${A}', '10s', '1G', 'never', 'http://a/'),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('node'), { maxKeys: 6 }),
  ),
})).node;

const limits = { numRuns: RUNS };

describe('loading of random manifests', () => {
  it('loading ends without an exception for real manifests with mistakes', { timeout: 600_000 }, () => {
    fc.assert(fc.property(realManifest, check), limits);
  });

  it('loading ends without an exception for any structure under any key', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(tree, (value) => check(JSON.stringify({ version: 2, services: { a: value }, env: value }))),
      limits,
    );
  });

  it('loading ends without an exception for any bytes and any text', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: 'binary' })), check),
      limits,
    );
  });

  it('loading stays within its memory limit', () => {
    expect(process.memoryUsage().rss).toBeLessThan(MOST_MEMORY);
  });
});

describe('migration of random manifests', () => {
  it(
    'migration ends without an exception for real manifests with mistakes, and its result migrates again',
    { timeout: 600_000 },
    () => {
      fc.assert(
        fc.property(realManifest, (text) => {
          const once = migrate(text, 'sup.yaml');
          if (!once.ok || !once.changed) return;
          const twice = migrate(once.text, 'sup.yaml');
          expect(twice).toMatchObject({ ok: true, changed: false });
        }),
        limits,
      );
    },
  );
});
