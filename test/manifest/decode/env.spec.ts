import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import {
  directoryWith,
  loadFiles,
  loadText,
  manifestOf,
  portsWith,
  serviceWith,
  toldOf,
  wrongWith,
} from '../loading.ts';

describe('the key env', () => {
  it('env accepts vars, inherit_env, clear_session_vars and strip', () => {
    expect(
      serviceWith(
        'env: { vars: { A: x, PORT: 8080, ON: true }, inherit_env: true, clear_session_vars: false, strip: [B] }',
      ).env,
    ).toEqual({
      vars: { A: 'x', PORT: '8080', ON: 'true' },
      inherit: true,
      clearSession: false,
      strip: ['B'],
    });
  });

  it('env keeps a number as it is written', () => {
    expect(serviceWith('env: { vars: { A: 010, B: 1.50, C: 0x1F } }').env.vars).toEqual({
      A: '010',
      B: '1.50',
      C: '0x1F',
    });
  });

  it.each([
    ['env: { vars: [A] }', 'ERR0213 env.vars: a list is not a map'],
    ['env: { vars: { A: } }', 'ERR0213 env.vars.A: nothing is not a string'],
    ['env: { vars: { A: [1] } }', 'ERR0213 env.vars.A: a list is not a string'],
    [
      'env: { vars: { "A=B": x } }',
      'ERR0213 env.vars.A=B: "A=B" is not a variable name: letters, digits and "_", not beginning with a digit',
    ],
    ['env: { inherit_env: maybe }', 'ERR0213 env.inherit_env: "maybe" is neither true nor false'],
    ['env: { clear_session_vars: 1 }', 'ERR0213 env.clear_session_vars: 1 is neither true nor false'],
    ['env: { clean: 1 }', 'ERR0213 env.clean: 1 is neither true nor false'],
    ['env: { strip: ["A B"] }', 'ERR0213 env.strip[0]: "A B" is not a variable name'],
    ['env: { file: 3 }', 'ERR0213 env.file: 3 is not a string'],
  ])('env refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

describe('the key env.clean', () => {
  it('env.clean applies to inner levels, which may revoke it', () => {
    const { manifest } = loadText(
      'version: 3\nenv: { clean: true }\nservices:\n' +
        '  web: { command: run }\n  old: { command: run, env: { clean: false } }\n',
    );
    expect(manifest?.services.map(({ name, env: { clean } }) => [name, clean])).toEqual([
      ['web', true],
      ['old', undefined],
    ]);
  });

  it.each([
    'env: { clean: true, inherit_env: true }',
    'env: { inherit_env: true }\nservices: { web: { command: run, env: { clean: true } } }',
  ])('env.clean excludes inherit_env: true, also of an outer level: %s', (text) => {
    const manifest = text.includes('services') ? `version: 3\n${text}\n` : manifestOf(text);
    const told = toldOf(loadText(manifest).problems);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^ERR0222 .*env\.clean: inherit_env: true and clean: true exclude each other/);
  });
});

describe('variables that the supervisor sets', () => {
  it.each(['2', '3'])('variables that the supervisor sets warn in env under version %s', (version) => {
    const { manifest, problems } = loadText(
      `version: ${version}\nenv: { vars: { SUP_UNIT: a } }\n` +
        'services: { web: { command: run, env: { vars: { SUP_PROJECT: b, SUP_DATA_DIR: c } } } }\n',
    );
    expect(manifest).toBeDefined();
    expect(problems.map(({ code, severity, path, line }) => [code, severity, path, line])).toEqual([
      ['ERR0223', 'warning', 'env.vars.SUP_UNIT', 2],
      ['ERR0223', 'warning', 'services.web.env.vars.SUP_PROJECT', 3],
    ]);
  });
});

describe('variables that the supervisor sets, in an env file', () => {
  it.each(['2', '3'])('a variable that the supervisor sets warns in an env file: version %s', (version) => {
    const { manifest, problems } = loadFiles({
      'sup.yaml': `version: ${version}\nservices: { web: { command: run, env: { file: web.env } } }\n`,
      'web.env': 'A="one\ntwo"\nSUP_UNIT=a\nSUP_DATA_DIR=c\nSUP_UNIT=b\n',
    });
    expect(manifest).toBeDefined();
    expect(problems).toMatchObject([
      { code: 'ERR0223', severity: 'warning', path: 'services.web.env.file', line: 5 },
    ]);
    expect(problems[0]?.message).toMatch(/^SUP_UNIT has no effect: the supervisor sets this variable itself/);
    expect(problems[0]?.file).toMatch(/web\.env$/);
  });
});

describe('variables directly in env', () => {
  it.each(['env: { A: b }', 'env: [A=b]', 'env: A=b'])('names directly in env get a hint: %s', (fields) => {
    const hint = 'variables stand under vars: env: { vars: { NAME: value } }';
    expect(loadText(manifestOf(fields)).problems).toMatchObject([{ hint }]);
  });

  it('variables directly in env are not confused with a misspelt key', () => {
    expect(loadText(manifestOf('env: { var: {} }')).problems).toMatchObject([
      { code: 'ERR0211', hint: 'did you mean "vars"?' },
    ]);
  });
});

describe('a word that YAML 1.1 read as a boolean', () => {
  it.each([
    ['yes', 'write true'],
    ['on', 'write true'],
    ['No', 'write false'],
    ['OFF', 'write false'],
  ])('a word that YAML 1.1 read as a boolean is refused for a flag, with a hint: %s', (word, hint) => {
    expect(loadText(manifestOf(`env: { clear_session_vars: ${word} }`)).problems).toMatchObject([
      { code: 'ERR0213', path: 'services.web.env.clear_session_vars', hint },
    ]);
  });
});

const LEVELS = `version: 2
env: { vars: { A: root, B: root, C: root, R: "\${A}" }, strip: [X] }
projects:
  p:
    env: { vars: { B: project, C: project, PB: "\${B}\${A}" }, inherit_env: true }
    services:
      one: { command: "\${A} \${B} \${C}", env: { vars: { C: service, ONLY: one }, strip: [Y] } }
      two: { command: "\${C} \${ONLY:-unseen}" }
`;

describe('the three levels of env', () => {
  it('levels of env merge, innermost first', () => {
    const [one, two] = loadText(LEVELS).manifest?.services ?? [];
    const outer = { A: 'root', B: 'project', R: 'root', PB: 'projectroot' };
    expect(one?.env).toEqual({
      vars: { ...outer, C: 'service', ONLY: 'one' },
      inherit: true,
      clearSession: true,
      strip: ['X', 'Y'],
    });
    expect(two?.env.vars).toEqual({ ...outer, C: 'project' });
  });

  it('levels of env scope variables: no service sees the variables of another', () => {
    const [one, two] = loadText(LEVELS).manifest?.services ?? [];
    expect([one?.launch, two?.launch]).toEqual([
      { tag: 'shell', command: 'root project service' },
      { tag: 'shell', command: 'project unseen' },
    ]);
  });

  it('levels of env strip outer variables, not those that the same or an inner level sets', () => {
    const { manifest } = loadText(`version: 2
env: { vars: { A: root, B: root }, strip: [B, S] }
projects:
  p:
    env: { strip: [A], vars: { C: project } }
    services:
      one: { command: "\${A}", env: { vars: { S: service, C: service }, strip: [C] } }
      two: { command: x, env: { strip: [C] } }
`);
    expect(manifest?.services.map(({ env }) => env.vars)).toEqual([
      { B: 'root', S: 'service', C: 'service' },
      { B: 'root' },
    ]);
    // What is stripped from the environment of the service may still be used while the manifest is read.
    expect(manifest?.services[0]?.launch).toEqual({ tag: 'shell', command: 'root' });
  });

  it('levels of env fall back to the environment of the supervisor and never change it', () => {
    const environment = Object.freeze({ HOME: '/home/me', A: 'outside' });
    const { manifest } = loadText(
      'version: 2\nservices: { w: { command: "${HOME} ${A}", env: { vars: { A: in } } } }',
      {
        environment,
      },
    );
    expect(manifest?.services[0]?.launch).toEqual({ tag: 'shell', command: '/home/me in' });
    expect(manifest?.services[0]?.env.vars).toEqual({ A: 'in' });
  });
});

describe('${VAR} in a manifest', () => {
  it('a ${VAR} is expanded in string values, not in exec, keys and include paths', () => {
    const { manifest } = loadFiles(
      {
        'sup.yaml': `version: 2
env: { vars: { A: a } }
projects: { p: { name: "\${A}", services: { "s": { exec: ["\${A}"], working_dir: "/\${A}" }, i: !include i.yaml } } }
`,
        'i.yaml': 'command: "${A} $A $$A $(x)"\n',
      },
      {},
    );
    expect(manifest?.projects[0]?.name).toBe('a');
    expect(manifest?.services).toMatchObject([
      { launch: { tag: 'exec', argv: ['${A}'] }, workingDir: '/a' },
      { launch: { tag: 'shell', command: 'a $A $A $(x)' } },
    ]);
  });

  it('a ${VAR} without a value is refused with its position (ERR0216)', () => {
    const { problems } = loadText('version: 2\nservices:\n  w:\n    command: "${NOPE} x"\n');
    expect(problems).toMatchObject([
      {
        code: 'ERR0216',
        path: 'services.w.command',
        line: 4,
        column: 15,
        message: '${NOPE} is not defined here',
      },
    ]);
  });

  it('the number of an instance is no variable of the manifest, and the hint says what is', () => {
    const { problems } = loadText(manifestOf('command: "x ${SUP_INSTANCE}"\nreplicas: 2'));
    const hint = 'write {instance}, or $SUP_INSTANCE for the shell of the service';
    expect(problems).toMatchObject([{ code: 'ERR0216', path: 'services.web.command', hint }]);
  });

  it.each([
    ['plain', '    command: echo ${A1} ${B1} ${C:?set C}', '4:19 4:25 4:31'],
    ['lines', '    command: |\n      echo ${A1}\n      ${B1} ${C:?set C}', '5:12 6:7 6:13'],
    ['escaped', '    command: "\\x24{A1}\\t${B1} ${C:?set C}"', '4:14 4:25 4:31'],
    ['of env', '    command: x\n    env: { vars: { V: "${A1}${B1}${C:?set C}" } }', '5:24 5:29 5:34'],
  ])('each ${VAR} without a value in one string is reported at its position: %s', (_, fields, places) => {
    const { problems } = loadText(`version: 2\nservices:\n  w:\n${fields}\n`);
    expect(problems.map(({ line, column }) => `${line ?? 0}:${column ?? 0}`).join(' ')).toBe(places);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'ERR0216 ${A1} is not defined here',
      'ERR0216 ${B1} is not defined here',
      'ERR0216 ${C} is not defined here: "set C"',
    ]);
  });

  it.each([
    ['command: "${A:?set A}"', 'ERR0216 command: ${A} is not defined here: "set A"'],
    [
      'command: "${A%%.*}"',
      'ERR0216 command: "${A%%.*}" is none of ${VAR}, ${VAR:-default}, ${VAR:?message}',
    ],
    ['env: { vars: { A: "${B}" } }', 'ERR0216 env.vars.A: ${B} is not defined here'],
    [
      'env: { vars: { A: "${B}", B: "${A}" } }',
      'ERR0216 env.vars.A: the variables refer to each other: A → B → A',
    ],
  ])('a ${VAR} in %s is refused once', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

describe('the key env.file', () => {
  it('env.file is the base that vars override, relative to the manifest also from an included file', () => {
    const { manifest } = loadFiles({
      'sup.yaml': 'version: 2\nprojects: { p: { services: !include sub/services.yaml } }',
      'sub/services.yaml':
        'w: { command: "${F} ${V}", env: { file: app.env, vars: { V: "v${F}", O: vars } } }',
      'app.env': 'F=file\nO=file\n',
    });
    expect(manifest?.services[0]).toMatchObject({
      launch: { command: 'file vfile' },
      env: { vars: { F: 'file', V: 'vfile', O: 'vars' } },
    });
  });

  it('env.file that is missing is ERR0220', () => {
    const [told] = wrongWith('env: { file: none.env }');
    expect(told).toMatch(/^ERR0220 env\.file: "\/.*none\.env" cannot be read: no such file$/);
  });

  it('env.file that is malformed is ERR0220 with its own line', () => {
    const { problems } = loadFiles({
      'sup.yaml': 'version: 2\nenv: { file: app.env }',
      'app.env': 'A=1\nnot an assignment\n',
    });
    expect(problems).toMatchObject([{ code: 'ERR0220', path: 'env.file', line: 2, column: 1 }]);
    expect(problems[0]?.file).toMatch(/app\.env$/);
  });

  it('env.file that others may write is not trusted (ERR0219)', () => {
    const directory = directoryWith({ 'sup.yaml': 'version: 2\nenv: { file: app.env }', 'app.env': 'A=1' });
    chmodSync(join(directory, 'app.env'), 0o666);
    expect(toldOf(loadManifest(join(directory, 'sup.yaml'), portsWith()).problems)[0]).toMatch(
      /^ERR0219 env\.file/,
    );
  });
});
