import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TESTED_PARTS } from './support/tested-parts.ts';

type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

const read = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, fixed, lazy]) => fixed ?? lazy ?? '');

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src', name));

const resolved = (file: string, target: string): string =>
  target.startsWith('.') ? normalize(join(dirname(file), target)) : target;

const house: Imports = new Map(
  files.map((file) => [file, read(file).map((target) => resolved(file, target))]),
);

const VALUE = /^export (?:async )?(?:const|function\*?|class) (\w+)/gm;
const TYPE = /^export (?:interface|type) (\w+)/gm;
const NAMES =
  /(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*\s+as\s+\w+)\s+from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** `file#name` for what a file imports; of what it takes as a whole, each word that it has. */
const taken = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(NAMES)].flatMap(([, names, fixed, lazy]) =>
    (names?.split(',') ?? text.match(/\w+/g) ?? [])
      .map(
        (name) =>
          name
            .replace(/^\s*type\s/, '')
            .trim()
            .split(/\s+as\s/)[0] ?? '',
      )
      .map((name) => `${resolved(file, fixed ?? lazy ?? '')}#${name}`),
  );
};

const modulesIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );

/** What the product takes; a benchmark uses it from outside, as a test does not. */
const takenByProduct = modulesIn('src', 'bench').flatMap(taken);
const takenAnywhere = [...takenByProduct, ...modulesIn('test').flatMap(taken)];

/** What is started, not imported. */
const ENTRIES = [
  'src/cli/main.ts',
  'src/supervisor/loader/sup.ts',
  'src/supervisor/loader/supervisor.ts',
  'src/supervisor/supervisor-main.ts',
  'src/supervisor/upgrade/resume-main.ts',
  'src/sinks/privilege/launcher/launcher-main.ts',
  'src/sinks/privilege/evaluation/evaluator-main.ts',
  'src/client/library.ts',
  'src/dashboard/page/page.tsx',
];

/** Exports of this kind that are not among what is taken. */
const takenByNobody = (kind: RegExp, taken: readonly string[]): readonly string[] => {
  const wanted = new Set(taken);
  return files
    .filter((file) => !ENTRIES.includes(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(kind)].map(([, name]) => `${file}#${name}`))
    .filter((name) => !wanted.has(name));
};

/** Named by the compiler in what it writes of every table of the manifest. */
const WRITTEN_OUT = ['src/manifest/decode/shapes/object.ts#ObjectDecoder'];

const FUNCTION =
  /^export (?:(?:async )?function\*? (\w+)|const (\w+)(?::(?:[^=]|=>)*)? =\s+(?:async )?(?:<[^(]*>)?(?:\(|\w+ =>))/gm;
const METHOD = /^ {2}(?:readonly )?(\w+)\??(?:\(|: \()/gm;

/** What of this kind has no docstring directly above it. */
const undocumented = (kind: RegExp, text: string): readonly string[] =>
  [...text.matchAll(kind)]
    .filter(({ index }) => !text.slice(0, index).endsWith('*/\n'))
    .map(([, name, other]) => name ?? other ?? '');

/** Every assignment of the state of a draft; the compiler refuses it by any other name. */
const assignments = (text: string): readonly string[] =>
  [...text.matchAll(/\bdraft\.state\s*=(?![=>])/g)].map(([found]) => found);

const ROOMS = [
  'cli',
  'client',
  'dashboard',
  'exchange',
  'manifest',
  'mcp',
  'os',
  'sinks',
  'sources',
  'streams',
  'supervisor',
];

const roomsBut = (...allowed: readonly string[]): readonly string[] =>
  ROOMS.filter((room) => !allowed.includes(room)).map((room) => `src/${room}/`);

/** The first loop that is met, as `a → b → a`. */
const loopIn = (imports: Imports): string | undefined => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
    if (done.has(file)) return undefined;
    for (const target of imports.get(file) ?? []) {
      const loop = visit(target, [...path, file]);
      if (loop !== undefined) return loop;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const loop = visit(file, []);
    if (loop !== undefined) return loop;
  }
  return undefined;
};

/** Imports of what stands in `from` that lead into one of `to`. */
const trespassing = (from: string, ...to: readonly string[]): readonly string[] =>
  [...house].flatMap(([file, targets]) =>
    file.startsWith(from)
      ? targets
          .filter((target) => to.some((folder) => target.startsWith(folder)))
          .map((target) => `${file} → ${target}`)
      : [],
  );

describe('the structure of the source', () => {
  it('every import names an existing file', () => {
    const own = [...house.values()].flat().filter((target) => target.startsWith('src'));
    expect(own.length).toBeGreaterThan(files.length);
    expect(own.filter((target) => !house.has(target))).toEqual([]);
  });

  it('no two modules import each other', () => {
    expect(loopIn(house)).toBeUndefined();
  });

  it('an import cycle is found by this test', () => {
    expect(
      loopIn(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toBe('b → c → b');
  });

  it('rooms import only the rooms they may', () => {
    expect(trespassing('src/streams', ...roomsBut('streams'), 'node:')).toEqual([]);
    expect(trespassing('src/os', ...roomsBut('streams', 'os'))).toEqual([]);
    for (const room of ['manifest', 'sources', 'sinks'])
      expect(trespassing(`src/${room}`, ...roomsBut('streams', 'os', room))).toEqual([]);
    expect(trespassing('src/client', ...roomsBut('streams', 'os', 'manifest', 'sources', 'client'))).toEqual(
      [],
    );
    expect(trespassing('src/exchange', ...roomsBut('streams', 'os', 'manifest', 'exchange'))).toEqual([]);
    expect(trespassing('src/mcp', ...roomsBut('streams', 'client', 'mcp'))).toEqual([]);
    expect(trespassing('src/dashboard', ...roomsBut('streams', 'os', 'client', 'dashboard'))).toEqual([]);
    expect(trespassing('src/dashboard/page/', ...roomsBut('streams', 'dashboard'), 'node:')).toEqual([]);
    expect(
      trespassing('src/supervisor', 'src/cli', 'src/client', 'src/dashboard', 'src/exchange', 'src/mcp'),
    ).toEqual([]);
  });

  it('cli imports from supervisor only its index and its loader', () => {
    const taken = trespassing('src/cli', 'src/supervisor');
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((one) => !/ → src\/supervisor\/(index\.ts$|loader\/)/.test(one))).toEqual([]);
  });

  it('the ground floor imports from streams only its words', () => {
    const words = trespassing('src/os', 'src/streams/domain');
    expect(words.length).toBeGreaterThan(0);
    expect(trespassing('src/os', 'src/streams')).toEqual(words);
  });

  it('only the views of streams word texts: the other parts of streams return facts', () => {
    const own = trespassing('src/streams/views', 'src/streams/views');
    expect(own.length).toBeGreaterThan(0);
    expect(trespassing('src/streams', 'src/streams/views')).toEqual(own);
  });

  it('the source has eleven rooms', () => {
    expect(readdirSync('src').sort()).toEqual([...ROOMS].sort());
  });

  it('no module is imported by tests only', () => {
    const imported = new Set([...house.values()].flat());
    expect(files.filter((file) => !imported.has(file) && !ENTRIES.includes(file))).toEqual([]);
  });

  it('no value is exported for tests only', () => {
    expect(takenByNobody(VALUE, takenByProduct).filter((name) => !TESTED_PARTS.includes(name))).toEqual([]);
  });

  it('each exported type is used', () => {
    expect(takenByNobody(TYPE, takenAnywhere)).toEqual(WRITTEN_OUT);
  });

  it('an unused export is found by this test', () => {
    const without = takenByProduct.filter((name) => name !== 'src/streams/kernel/loop.ts#Loop');
    expect(takenByNobody(TYPE, without)).toContain('src/streams/kernel/loop.ts#Loop');
  });

  it('each exported function of streams and supervisor has a docstring', () => {
    const silent = files
      .filter((file) => /^src\/(streams|supervisor)\//.test(file))
      .flatMap((file) => undocumented(FUNCTION, readFileSync(file, 'utf8')).map((name) => `${file}#${name}`));
    expect(silent).toEqual([]);
  });

  it('each port and its methods have a docstring', () => {
    const ports = readFileSync('src/streams/domain/ports.ts', 'utf8');
    expect([...undocumented(TYPE, ports), ...undocumented(METHOD, ports)]).toEqual([]);
  });

  it.each([
    ['export const a = (b: B): C => d;', ['a']],
    ['/** Why. */\nexport const a = <T>(b: T): T => b;', []],
    ['/** Of another. */\n\nexport const a: (b: B) => C = (b) => c;', ['a']],
    ['export async function* a(): A {}', ['a']],
    ['export const a = 1;', []],
  ])('a missing docstring is found by this test: %j', (text, names) => {
    expect(undocumented(FUNCTION, text)).toEqual(names);
  });

  it('the state of the supervisor is assigned only in `setState` of the draft', () => {
    const assigning = modulesIn('src').flatMap((file) =>
      assignments(readFileSync(file, 'utf8')).map(() => file),
    );
    expect(assigning).toEqual(['src/streams/kernel/draft.ts']);
  });

  it.each([
    ['draft.state = { ...draft.state, gate };', 1],
    ['draft.state={};', 1],
    ['if (draft.state === before) return;', 0],
    ['const { state } = draft;', 0],
  ])('an assignment of the state is found by this test: %j', (text, count) => {
    expect(assignments(text)).toHaveLength(count);
  });

  it('only operators, client, dashboard, supervisor and cli subscribe', () => {
    const subscribing = files.filter((file) => readFileSync(file, 'utf8').includes('.subscribe('));
    expect(
      subscribing.filter(
        (file) => !/^src\/(streams\/operators|cli|client|dashboard|supervisor)\//.test(file),
      ),
    ).toEqual([]);
  });
});
