import { describe, expect, it } from 'vitest';
import { imported, importRefusal } from '../support/imported.ts';

describe('variables and files of Compose', () => {
  it('variables come from the environment, then from .env, then from their default', async () => {
    const { loaded, told } = await imported(
      {
        'compose.yaml':
          'services: { web: { command: ["a", "${A}", "$B", "${C:-c${A}}", "${D-d}", "${A:+e}", "${F:+f}", "$$G", "${H}"] } }',
        '.env': 'A=file\nB=2\n',
      },
      { environment: { A: 'outer' } },
    );
    expect(loaded.manifest?.services[0]?.launch).toEqual({
      tag: 'exec',
      argv: ['a', 'outer', '2', 'couter', 'd', 'e', '', '$G', ''],
    });
    expect(told.find((line) => line.includes('${H}'))).toMatch(/is not set/);
  });

  it.each([
    ['"${A:?set it}"', 'the variable A is not set: set it'],
    ['"${A"', 'a ${ is not closed'],
    ['"a $ b"', 'a single $ stands here'],
    ['"${1A}"', '${1A} is not a variable'],
    ['"a \\"b"', 'a quote is not closed'],
  ])('the command %s is refused', async (command, message) => {
    const text = `services:\n  web:\n    command: ${command}\n`;
    expect(await importRefusal({ 'compose.yaml': text })).toContain(message);
  });

  it('a second file overrides the first, and services extend others', async () => {
    const { loaded } = await imported(
      {
        'compose.yaml':
          'services:\n  web: { extends: { service: base, file: base/base.yaml }, environment: { A: 1 }, depends_on: [a], ports: ["80:80"] }\n  a: { command: a }\n  b: { command: b, profiles: [x] }\n',
        'compose.over.yaml':
          'services:\n  web: { command: [over], environment: ["B=2"], depends_on: { b: { condition: service_started, required: false } } }\n  b: { profiles: !reset [] }\n',
        'base/base.yaml': 'services:\n  base: { command: [base, x], stop_signal: INT, env_file: base.env }\n',
        'base/base.env': 'FROM=base\n',
      },
      { names: ['compose.yaml', 'compose.over.yaml'] },
    );
    expect(loaded.problems).toEqual([]);
    expect(loaded.manifest?.services).toHaveLength(3);
    expect(loaded.manifest?.services[0]).toMatchObject({
      launch: { argv: ['over'] },
      stopSignal: 'SIGINT',
      env: { vars: { A: '1', B: '2', FROM: 'base' } },
      dependsOn: [{ condition: 'started' }, { required: false }],
    });
  });

  it('included files are read, and a circle is refused', async () => {
    const files = { 'compose.yaml': 'include: [sub/b.yaml]\nservices: { a: { command: a } }\n' };
    const { loaded } = await imported({
      ...files,
      'sub/b.yaml': 'services: { b: { command: b, working_dir: /srv } }',
    });
    expect(loaded.manifest?.services.map(({ name }) => name)).toEqual(['b', 'a']);
    const circle = { ...files, 'sub/b.yaml': 'include: [../compose.yaml]' };
    expect(await importRefusal(circle)).toContain('it includes itself');
  });

  it.each([
    ['services: { a: { extends: b }, b: { extends: a } }', 'a service cannot extend itself'],
    ['services: { a: { extends: b } }', 'a extends b, which is not there'],
    ['services: { a: 3 }', 'a is not a map'],
    ['services: { a: { command: x', 'cannot be read as a Compose file'],
    ['services: {}', 'ERR0804'],
    ['a: 1', 'ERR0804'],
    ['x\u0000', 'ERR0803'],
  ])('%s is refused', async (text, message) => {
    expect(await importRefusal({ 'compose.yaml': text })).toContain(message);
  });

  it('a file that is missing is refused without the words of Node', async () => {
    expect(await importRefusal({}, { names: ['none.yaml'] })).toMatch(
      / cannot be imported: no such file or directory$/m,
    );
  });
});
