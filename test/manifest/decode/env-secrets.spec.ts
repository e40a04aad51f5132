import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../src/manifest/read/reader.ts';
import { loadFiles, loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

const MACHINE: Machine = {
  knows: () => true,
  capabilities: [],
  cpus: [0],
  highest: () => 'unlimited',
  lowestNice: -20,
  lowestOomScore: -1000,
};

const filesOf = (fields: string): Readonly<Record<string, string>> | undefined =>
  serviceWith(fields).env.secrets;

describe('env.secrets', () => {
  it('a secret is the absolute path of its file', () => {
    expect(filesOf('env: { secrets: { A: { file: /run/a }, B: { file: b } } }')).toEqual({
      A: '/run/a',
      B: expect.stringMatching(/^\/.*\/b$/) as string,
    });
  });

  it('a manifest without secrets has no such field', () => {
    expect(serviceWith('env: { vars: { A: b } }').env).not.toHaveProperty('secrets');
  });

  it.each([
    [
      'vars: { A: x }, secrets: { A: { file: a } }',
      'ERR0222 env.secrets.A: A is in vars, too; a variable has one value',
    ],
    [
      'secrets: { SUP_A: { file: a } }',
      'ERR0213 env.secrets.SUP_A: names that begin with SUP_ belong to the supervisor',
    ],
    ['secrets: { A: hunter2 }', 'ERR0213 env.secrets.A: "hunter2" is not a map'],
  ])('a secret is refused in env: { %s }', (env, problem) => {
    expect(wrongWith(`env: { ${env} }`)).toEqual([problem]);
  });

  it('only validate, which looks at this machine, warns of a secret that cannot be used', () => {
    const files = { 'sup.yaml': manifestOf('env: { secrets: { A: { file: a }, B: { file: b } } }'), b: 'x' };
    expect(loadFiles(files).problems).toEqual([]);
    expect(loadFiles(files, { machine: MACHINE }).problems).toMatchObject([
      {
        code: 'ERR0220',
        severity: 'warning',
        path: 'services.web.env.secrets.A.file',
        message: expect.stringMatching(
          /a cannot be used: no such file: the service will not be started$/,
        ) as string,
      },
    ]);
  });

  it('a secret is refused if the env file of the same level sets it', () => {
    const files = { 'sup.yaml': manifestOf('env: { file: e, secrets: { A: { file: a } } }'), e: 'A=x' };
    expect(loadFiles(files).problems).toMatchObject([
      { code: 'ERR0222', message: 'the env file sets A, too' },
    ]);
  });

  it('a reference does not see a secret, nor what the name means further out', () => {
    const text = manifestOf('command: x ${A}\nenv: { vars: { B: "${A}" }, secrets: { A: { file: a } } }');
    const { problems } = loadText(`env: { vars: { A: outer } }\n${text}`, { environment: { A: 'own' } });
    const hint = 'it is a secret, which only the process sees: write $A for the shell';
    expect(problems).toMatchObject([
      { code: 'ERR0216', path: 'services.web.command', hint },
      { code: 'ERR0216', path: 'services.web.env.vars.B', hint },
    ]);
  });

  it('of an outer secret and an inner variable the inner one counts, and the other way round', () => {
    const outer =
      'env: { vars: { A: outer }, secrets: { B: { file: /b }, C: { file: /c }, D: { file: /d } } }';
    const inner = 'env: { vars: { B: inner }, secrets: { A: { file: /a } }, strip: [D] }';
    const { manifest } = loadText(`${outer}\n${manifestOf(inner)}`);
    expect(manifest?.services[0]?.env).toMatchObject({ vars: { B: 'inner' }, secrets: { A: '/a', C: '/c' } });
    expect(manifest?.services[0]?.env.vars).not.toHaveProperty('A');
    expect(manifest?.services[0]?.env.secrets).not.toHaveProperty('D');
  });

  it('a secret is refused as the variable for the slot', () => {
    const fields = `
env: { secrets: { PORT: { file: p } } }
deployment:
  blue_green: { env_var: PORT, slots: [8001, 8002], switch_command: x }
  health_check: { url: "http://127.0.0.1:{slot}/" }`;
    expect(wrongWith(fields)).toEqual([
      'ERR0222 deployment.blue_green.env_var: PORT is in env.secrets, and env_var sets it to the slot',
    ]);
  });
});
