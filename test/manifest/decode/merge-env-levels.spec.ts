import { describe, expect, it } from 'vitest';
import { loadFiles, loadText, toldOf, wrongWith } from '../loading.ts';

describe('a variable whose value is refused', () => {
  const NOPE = 'ERR0216 env.vars.A: ${NOPE} is not defined here';

  it.each([
    ['env: { vars: { A: "${NOPE}" } }\ncommand: "echo ${A}"', [NOPE]],
    ['env: { vars: { A: "${NOPE}", B: "${A}" } }\ncommand: "echo ${B} ${A:?set it}"', [NOPE]],
    [
      'env: { vars: { A: "${NOPE}" } }\ncommand: "echo ${A} ${B}"',
      ['ERR0216 command: ${B} is not defined here', NOPE],
    ],
    [
      'env: { vars: { A: [1], B: "${A}" } }\ncommand: "echo ${A} ${B}"',
      ['ERR0213 env.vars.A: a list is not a string'],
    ],
    ['env: { vars: { A: "${A}" } }\ncommand: "echo ${A}"', ['ERR0216 env.vars.A: ${A} is not defined here']],
  ])('a refused variable is reported once: %s', (fields, told) => {
    expect([...wrongWith(fields)].sort()).toEqual(told);
  });

  it('a refused variable is reported once if inner levels use it, which may set it again', () => {
    const { problems } = loadText(`version: 2
env: { vars: { A: "\${NOPE}" } }
services:
  one: { command: "\${A} \${B}", env: { vars: { B: "\${A}" } } }
  two: { command: "\${A}", env: { vars: { A: two } } }
`);
    expect(toldOf(problems)).toEqual([NOPE]);
  });

  it('a refused variable of an env file is reported once', () => {
    const { problems } = loadFiles({
      'sup.yaml':
        'version: 2\nservices: { w: { command: "${A} ${B}", env: { file: app.env, vars: { B: "${A}" } } } }',
      'app.env': 'A="x" y\n',
    });
    expect(problems).toMatchObject([{ code: 'ERR0220', line: 1 }]);
  });
});
