import { describe, expect, it } from 'vitest';
import { lost } from '../../src/exchange/key-table.ts';
import {
  plainOf,
  readStructured,
  settingsBelow,
  sourceLine,
} from '../../src/exchange/structured-settings.ts';

const read = (text: string, tags: readonly string[] = []): ReturnType<typeof readStructured> =>
  readStructured({ path: 'a.yaml', directory: '/', text }, { title: 'an example', tags });

const refusal = (text: string): string => {
  try {
    read(text);
    return 'read';
  } catch (thrown) {
    return String(thrown);
  }
};

describe('a structured file', () => {
  it('maps become settings as deep as the rows lead, each with its line', () => {
    const { root } = read('a: 1\nb:\n  c: { d: [x, 2] }\n  e: { f: true }\nx: &m { y: 1 }\nz:\n  <<: *m\n');
    const rows = [
      { theirs: 'b.c', ours: [], read: lost('') },
      { theirs: 'z', also: ['b.e.f'], ours: [], read: lost('') },
    ];
    expect(settingsBelow(root, rows).map(({ key, value, place }) => [key, value, place.line])).toEqual([
      ['a', 1, 1],
      ['b.c', { d: ['x', 2] }, 3],
      ['b.e.f', true, 4],
      ['x', { y: 1 }, 5],
      ['z', { y: 1 }, 6],
    ]);
    expect(sourceLine(root)).toEqual({ file: 'a.yaml', line: 1 });
  });

  it('JSON with tabs, comments of YAML and an empty file are read', () => {
    expect(plainOf(read('{\n\t"a": {\n\t\t"b": [1, null]\n\t}\n}').root)).toEqual({ a: { b: [1, null] } });
    expect(plainOf(read('# nothing\n').root)).toBeNull();
  });

  it('the tags of the format are kept beside the tree', () => {
    const { root, tagOf } = read('a: !override [b]\nc: !reset\n', ['!override', '!reset']);
    const [a, c] = root.tag === 'map' ? root.entries : [];
    expect([a && tagOf(a.value), c && tagOf(c.value), c?.value.tag]).toEqual([
      '!override',
      '!reset',
      'broken',
    ]);
    expect(plainOf(root)).toEqual({ a: ['b'], c: null });
  });

  it.each([
    ['a: [1', 1, /./],
    ['a: 1\nb: !include /etc/passwd', 2, /!include is not known/],
    ['a: 1\na: 2', 2, /stands here twice/],
    ['a: \u0007', 1, /control character/],
    [`a: ${'['.repeat(60)}${']'.repeat(60)}`, 1, /more than 50 levels/],
    [`a: [${'1, '.repeat(150_000)}1]`, 1, /more than 250000 YAML tokens/],
    ['a: 1\n---\nb: 2', 2, /second YAML document/],
    ['a: *b', 1, /no anchor/],
  ])('a file with a fault is refused with its line: case %#', (text, line, detail) => {
    expect(refusal(text)).toContain(`ERR0802: a.yaml:${line}`);
    expect(refusal(text)).toMatch(detail);
  });

  it('aliases that expand to very many values are refused', () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at}, `.repeat(9)}1]`,
    );
    expect(refusal(`l0: &l0 [1, 1]\n${levels.join('\n')}\n`)).toContain('200000 values');
  });
});
