import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

const read = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, fixed, lazy]) => fixed ?? lazy ?? '');

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name));

const resolved = (file: string, target: string): string =>
  target.startsWith('.') ? normalize(join(dirname(file), target)) : target;

const house: Imports = new Map(
  files.map((file) => [file, read(file).map((target) => resolved(file, target))]),
);

const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
const NAMES =
  /(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*\s+as\s+\w+)\s+from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** `file#name` for what a file imports; `file#*` where it takes everything. */
const taken = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(NAMES)].flatMap(([, names, fixed, lazy]) =>
    (names ?? '*')
      .split(',')
      .map(
        (name) =>
          name
            .replace(/^\s*type\s/, '')
            .trim()
            .split(/\s+as\s/)[0] ?? '',
      )
      .map((name) => `${resolved(file, fixed ?? lazy ?? '')}#${name}`),
  );

const modulesIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

/** Of these modules, what is exported and taken by nobody else. */
const takenByNobody = (modules: readonly string[], by: readonly string[]): readonly string[] => {
  const wanted = new Set(by.flatMap(taken));
  return modules
    .filter((file) => !wanted.has(`${file}#*`))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, name]) => `${file}#${name}`))
    .filter((name) => !wanted.has(name));
};

/** What is started, not imported. */
const ENTRIES = [
  'src/cli/main.ts',
  'src/cli/starting/sup.ts',
  'src/cli/starting/supervisor.ts',
  'src/cli/supervisor-main.ts',
  'src/cli/wiring/upgrade/resume-main.ts',
  'src/sinks/privilege/launcher/main.ts',
];

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

describe('the house', () => {
  it('has every import on a file that is there', () => {
    const own = [...house.values()].flat().filter((target) => target.startsWith('src'));
    expect(own.length).toBeGreaterThan(files.length);
    expect(own.filter((target) => !house.has(target))).toEqual([]);
  });

  it('has no two modules that need each other', () => {
    expect(loopIn(house)).toBeUndefined();
  });

  it('would notice if it had', () => {
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

  it('keeps sources, sinks and cli apart', () => {
    expect(trespassing('src/streams', 'src/os', 'src/sources', 'src/sinks', 'src/cli', 'node:')).toEqual([]);
    expect(trespassing('src/os', 'src/sources', 'src/sinks', 'src/cli')).toEqual([]);
    expect(trespassing('src/sources', 'src/sinks', 'src/cli')).toEqual([]);
    expect(trespassing('src/sinks', 'src/sources', 'src/cli')).toEqual([]);
  });

  it('knows nothing of the streams but their words on the ground floor', () => {
    const words = trespassing('src/os', 'src/streams/domain');
    expect(words.length).toBeGreaterThan(0);
    expect(trespassing('src/os', 'src/streams')).toEqual(words);
  });

  it('has four rooms and a ground floor', () => {
    expect(readdirSync('src').sort()).toEqual(['cli', 'os', 'sinks', 'sources', 'streams']);
  });

  it('has no module that only tests import', () => {
    const imported = new Set([...house.values()].flat());
    expect(files.filter((file) => !imported.has(file) && !ENTRIES.includes(file))).toEqual([]);
  });

  it('exports nothing from the ground floor, the sources and the sinks that nobody takes', () => {
    const rooms = files.filter((file) => /^src\/(os|sinks|sources\/(?!manifest))/.test(file));
    // Of the manifest's decoders some types are named in what the compiler writes of others.
    expect(takenByNobody(rooms, modulesIn('src', 'test', 'bench'))).toEqual([]);
  });

  it('subscribes in the operators and in cli only', () => {
    const subscribing = files.filter((file) => readFileSync(file, 'utf8').includes('.subscribe('));
    expect(subscribing.filter((file) => !/^src\/(streams\/operators|cli)\//.test(file))).toEqual([]);
  });
});
