import { describe, expect, it } from 'vitest';
import { loadFiles, loadText } from '../loading.ts';

describe('a tag on a key', () => {
  it.each(['!include b.yaml : { command: x }', '!foo c: { command: x }'])(
    'a tag on a key is refused: %s',
    (entry) => {
      const { problems } = loadFiles({
        'sup.yaml': `version: 2\nservices:\n  ${entry}\n`,
        'b.yaml': 'b: { command: x }\n',
      });
      expect(problems).toMatchObject([{ code: 'ERR0217', severity: 'error', line: 3 }]);
      expect(problems[0]?.message).toContain('stands on a key');
    },
  );

  it('a tag on a key may be its own type', () => {
    expect(loadText('version: 2\nservices: { !!str web: { command: x } }\n').problems).toEqual([]);
  });
});

describe('an anchor on a key', () => {
  const needsOf = (services: string): unknown => {
    const { manifest, problems } = loadText(`version: 2\nservices:\n${services}`);
    expect(problems).toEqual([]);
    return manifest?.services.map(({ name, dependsOn }) => [name, dependsOn.map(({ service }) => service)]);
  };

  it('an anchor on a key stands for the key in later nodes', () => {
    const web = ['web', []];
    const b = ['b', ['__loose__/web']];
    expect(needsOf('  &n web:\n    command: x\n  b:\n    command: y\n    depends_on: [*n]\n')).toEqual([
      web,
      b,
    ]);
    expect(needsOf('  ? &n web\n  : { command: x }\n  b: { command: y, depends_on: [*n] }\n')).toEqual([
      web,
      b,
    ]);
  });

  it('an anchor on a key works in its own value and differs from one on the value', () => {
    const { manifest } = loadText(
      'version: 2\nservices:\n  &n web: &v { command: *n, env: { vars: { &k A: x, B: *k } } }\n  b: *v\n',
    );
    const same = { launch: { tag: 'shell', command: 'web' }, env: { vars: { A: 'x', B: 'A' } } };
    expect(manifest?.services).toMatchObject([same, same]);
  });

  it('an anchor on a key does not exist before the key', () => {
    const { problems } = loadText('version: 2\nservices:\n  b: { command: *n }\n  &n web: { command: x }\n');
    expect(problems).toMatchObject([{ code: 'ERR0217', line: 3 }]);
  });
});
