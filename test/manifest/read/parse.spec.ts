import { describe, expect, it } from 'vitest';
import { loadFiles, loadText, toldOf } from '../loading.ts';

const codesOf = (text: string): readonly string[] => [
  ...new Set(loadText(text).problems.map(({ code }) => code)),
];

describe('YAML of a manifest', () => {
  it.each([
    ['CRLF line ends', 'version: 2\r\nservices:\r\n  w:\r\n    command: run\r\n'],
    ['a byte order mark', '\uFEFFversion: 2\nservices: { w: { command: run } }\n'],
    ['anchors and aliases', 'version: 2\nservices: { a: &a { command: run }, w: *a }\n'],
    ['a merge key', 'version: 2\nservices: { a: &a { command: run }, w: { <<: *a } }\n'],
    ['a list of merge keys', 'version: 2\nservices: { a: &a { command: run }, w: { <<: [*a, *a] } }\n'],
    ['an explicit document', '---\nversion: 2\nservices: { w: { command: run } }\n...\n'],
    ['JSON', '{"version": 2, "services": {"w": {"command": "run"}}}'],
    ['a known tag', 'version: 2\nservices: { w: { command: !!str run } }\n'],
  ])('YAML of a manifest may have %s', (_, text) => {
    const { manifest, problems } = loadText(text);
    expect(problems).toEqual([]);
    expect(manifest?.services.at(-1)?.launch).toEqual({ tag: 'shell', command: 'run' });
  });

  it('YAML of a manifest prefers own keys over merged ones', () => {
    const { manifest } = loadText(
      'version: 2\nservices: { a: &a { command: run, skip: true }, w: { <<: *a, command: other } }\n',
    );
    expect(manifest?.services[1]).toMatchObject({ launch: { command: 'other' }, skip: true });
  });

  it.each([
    ['a tab as indentation', 'version: 2\nservices:\n\tw: x\n'],
    ['an open bracket', 'version: 2\nservices: [\n'],
    ['a key that stands twice', 'version: 2\nservices: { w: { command: a, command: b } }\n'],
    ['a second document', 'version: 2\n---\nversion: 2\n'],
    ['an unknown tag', 'version: 2\nservices: !!python/object:os.system {}\n'],
    ['an unknown alias', 'version: 2\nservices: *nowhere\n'],
    ['an alias inside its own anchor', 'version: 2\nservices: &a { w: *a }\n'],
    ['a merge key with a text', 'version: 2\nservices: { <<: x }\n'],
    ['a map as key', 'version: 2\n? { a: b }\n: c\n'],
    ['binary garbage', '\u0000\u0001\u0002{[}]:\u0007- - %@`'],
  ])('YAML of a manifest may not have %s (ERR0217)', (_, text) => {
    expect(loadText(text).manifest).toBeUndefined();
    expect(codesOf(text)).toContain('ERR0217');
  });

  it('a text that looks like a map within a line needs quotes, and the error says so', () => {
    const { problems } = loadText('version: 2\nservices:\n  w:\n    command: echo a: b\n');
    expect(problems).toMatchObject([
      { code: 'ERR0217', line: 4, message: expect.stringMatching(/needs quotes around it$/) as string },
    ]);
  });

  it('YAML of a manifest reports the position of a duplicate key', () => {
    expect(loadText('version: 2\nservices:\n  w:\n    command: a\n    command: b\n').problems).toMatchObject([
      { code: 'ERR0217', path: 'services.w.command', line: 5, column: 5, source: '    command: b' },
    ]);
  });

  it('YAML of a manifest is UTF-8', () => {
    const { problems } = loadFiles({
      'sup.yaml': new Uint8Array([...Buffer.from('version: 2\n# '), 0xff, 0x0a]),
    });
    expect(problems).toMatchObject([{ code: 'ERR0217', line: 2, column: 3 }]);
  });
});

const laughs = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const uses = Array(10).fill(level === 0 ? 'ha' : `*l${level - 1}`);
    return `l${level}: &l${level} [${uses.join(', ')}]`;
  }).join('\n');

const merges = (): string => {
  const big = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join(', ');
  return `version: 2\na: &a { ${big} }\nb: [${Array(300).fill('{ <<: *a }').join(', ')}]\n`;
};

const HOSTILE: readonly [name: string, text: () => string][] = [
  ['a billion laughs', () => `version: 2\n${laughs(9)}\n`],
  ['a million merged keys', merges],
  ['200 levels of lists', () => `version: 2\nservices: ${'['.repeat(200)}${']'.repeat(200)}\n`],
  [
    '200 levels of maps',
    () => Array.from({ length: 200 }, (_, level) => `${' '.repeat(level)}k:`).join('\n'),
  ],
  ['100,000 open brackets', () => '{'.repeat(100_000)],
  ['10 MB', () => `version: 2\n# ${'x'.repeat(10 * 1024 * 1024)}\n`],
  ['a million keys', () => Array.from({ length: 1_000_000 }, (_, key) => `${key.toString(36)}:\n`).join('')],
];

const FAULTY: readonly [name: string, text: () => string][] = [
  ['200,000 closing brackets', () => `a: [\n${'}'.repeat(200_000)}`],
  ['100,000 anchors', () => '&a '.repeat(100_000)],
  ['100,000 documents', () => '---\n'.repeat(100_000)],
];

describe('a hostile manifest', () => {
  it.each(FAULTY)(
    'a hostile manifest of %s is refused with a few errors (ERR0217), and leaves stack traces on',
    (_, text) => {
      const limit = Error.stackTraceLimit;
      const { problems } = loadText(text());
      expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['ERR0217']));
      expect(problems.length).toBeLessThanOrEqual(20);
      expect(Error.stackTraceLimit).toBe(limit);
    },
  );

  it('a hostile manifest of thousands of unknown names is refused without comparing all pairs', () => {
    const services = Array.from(
      { length: 8000 },
      (_, n) => ` s${n}: {command: x, depends_on: [zz${n}]}`,
    ).join('\n');
    const { problems } = loadText(`version: 2\nservices:\n${services}\n`);
    expect(problems).toHaveLength(501);
  });

  it.each(HOSTILE)('a hostile manifest of %s is refused (ERR0209)', (_, text) => {
    const { manifest, problems } = loadText(text());
    expect(manifest).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain('ERR0209');
  });

  it('a hostile manifest has a limited number of problems', () => {
    const keys = Array.from({ length: 2000 }, (_, key) => `x${key}: 1`).join('\n');
    const { problems } = loadText(`version: 2\n${keys}\n`);
    expect(problems).toHaveLength(501);
    expect(toldOf(problems).at(-1)).toBe('ERR0209 : 1500 more problems are not shown');
  });

  it('a hostile manifest prints no control characters to a terminal', () => {
    const { problems } = loadText('version: 2\n"\\e[31mred": 1\n');
    expect(problems[0]?.message).toBe('"\\x1b[31mred" is not a key of manifest');
  });
});
