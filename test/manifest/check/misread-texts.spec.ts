import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

const deploymentWith = (fields: string): string => `deployment: { ${fields} }`;
const SLOTS = 'blue_green: { slots: [1, 2], switch_command: x }';

describe('a blue/green placeholder without blue/green', () => {
  it.each([
    [deploymentWith('pre_start: "x {slot}"'), '{slot}', 'deployment.pre_start'],
    [
      deploymentWith('health_check: { command: "x {candidate_slot}" }'),
      '{candidate_slot}',
      'deployment.health_check.command',
    ],
    [deploymentWith('health_check: { url: "http://a:{slot}/" }'), '{slot}', 'deployment.health_check.url'],
    [
      deploymentWith('health_check: { url: "http://a/{active_slot}" }'),
      '{active_slot}',
      'deployment.health_check.url',
    ],
    ['command: serve {slot} {active_slot}', '{slot}', 'command'],
    ['skip: test {active_slot} = a', '{active_slot}', 'skip'],
    ['hooks: { onerr: { command: "tell {slot}" } }', '{slot}', 'hooks.onerr.command'],
    ['hooks: { on_stop: { error: { command: "tell {slot}" } } }', '{slot}', 'hooks.on_stop.error.command'],
  ])('a placeholder without blue/green is refused: %s', (fields, placeholder, path) => {
    expect(wrongWith(fields)).toEqual([
      `ERR0213 ${path}: "${placeholder}" is filled in for blue_green only, and there is none here`,
    ]);
    const rollout = fields.startsWith('deployment')
      ? fields.replace(/\}$/, `, ${SLOTS} }`)
      : `${fields}\n${deploymentWith(SLOTS)}`;
    expect(wrongWith(rollout)).toEqual([]);
  });

  it.each([
    [deploymentWith('health_check: { url: "http://127.0.0.1:${P}/" }'), 'deployment.health_check.url'],
    ['command: serve ${P}', 'command'],
    ['command: serve {${S}}', 'command'],
  ])('a placeholder without blue/green is refused also if a variable contains it: %s', (fields, path) => {
    expect(wrongWith(`env: { vars: { P: "{slot}", S: slot } }\n${fields}`)).toEqual([
      `ERR0213 ${path}: "{slot}" is filled in for blue_green only, and there is none here`,
    ]);
  });

  it('a placeholder is only one that would be resolved: other braces and quoted parts are text', () => {
    expect(wrongWith('command: \'echo {a,b} {service} {"slot"} $${slot}\'')).toEqual([]);
    expect(wrongWith('env: { vars: { P: "{slot}" } }')).toEqual([]);
  });
});

describe('a placeholder in exec', () => {
  it.each(['', deploymentWith(SLOTS)])('a placeholder in exec is unchanged, with a warning: %s', (more) => {
    const fields = `exec: [sh, -c, "serve {slot}", "{a}"]\n${more}`;
    expect(serviceWith(fields).launch).toEqual({ tag: 'exec', argv: ['sh', '-c', 'serve {slot}', '{a}'] });
    expect(loadText(manifestOf(fields, '3')).problems).toMatchObject([
      {
        ...{ code: 'ERR0216', severity: 'warning', path: 'services.web.exec[2]' },
        message: '"{slot}" is not filled in: the entries of exec are taken as they are',
      },
    ]);
  });
});

const TWO_SLOTS = 'blue_green: { slots: [1, 2], switch_command: "x {candidate_slot}" }';

/** `code severity path` of what is wrong, in both versions alike. */
const told = (fields: string): readonly string[] => {
  const [two, three] = ['"2"', '"3"'].map((version) =>
    loadText(manifestOf(fields, version)).problems.map(
      ({ code, severity, path }) => `${code} ${severity} ${path.replace('services.web.', '')}`,
    ),
  );
  expect(three).toEqual(two);
  return two ?? [];
};

describe('a blue/green placeholder that is not resolved', () => {
  it.each([
    [`working_dir: "/srv/{slot}"\ndeployment: { ${TWO_SLOTS} }`, 'working_dir'],
    [`env: { vars: { DIR: "/srv/{slot}" } }\ndeployment: { ${TWO_SLOTS} }`, 'env.vars.DIR'],
    [`env: { strip: ["A"], vars: { url: "{active_slot}" } }\ndeployment: { ${TWO_SLOTS} }`, 'env.vars.url'],
    [
      'deployment: { blue_green: { slots: [1, 2], switch_command: x, state_path: "s-{slot}" } }',
      'deployment.blue_green.state_path',
    ],
    ['env: { vars: { DIR: "{slot}" } }', 'env.vars.DIR'],
  ])('an unresolved placeholder is a warning: %s', (fields, path) => {
    expect(told(fields)).toEqual([`ERR0223 warning ${path}`]);
  });

  it.each([
    `command: "serve {slot}"\ndeployment: { pre_start: "x {slot}", ${TWO_SLOTS} }`,
    `deployment: { health_check: { url: "http://127.0.0.1:{slot}/" }, ${TWO_SLOTS} }`,
    `hooks: { onerr: { command: "tell {slot}" } }\nreload: "kill {slot}"\nskip: "test {slot}"\ndeployment: { ${TWO_SLOTS} }`,
  ])('a resolved placeholder is no warning: %s', (fields) => {
    expect(told(fields)).toEqual([]);
  });

  it('a placeholder in a variable that a command uses is no warning', () => {
    expect(
      told(
        `env: { vars: { BASE: "http://a:{slot}" } }\ncommand: "probe \${BASE}"\ndeployment: { ${TWO_SLOTS} }`,
      ),
    ).toEqual([]);
  });
});

describe('two dollar signs, which a shell replaces with its process id', () => {
  it.each([
    ["command: 'echo $$ > web.pid'", 'command'],
    ["command: 'exec log /tmp/web.$$'", 'command'],
    ["command: 'touch /tmp/$$.lock'", 'command'],
    ["deployment: { pre_start: 'kill $$' }", 'deployment.pre_start'],
    ["hooks: { onerr: { command: 'kill $$' } }", 'hooks.onerr.command'],
    ["reload: 'kill -HUP $$'", 'reload'],
  ])('two dollar signs are a warning: %s', (fields, path) => {
    expect(told(fields)).toEqual([`ERR0216 warning ${path}`]);
  });

  it.each([
    "command: 'echo $$$$ > web.pid'",
    "command: 'echo $${HOME} $$HOME $$(id) $$1 $HOME'",
    'exec: [sh, -c, "echo $$"]',
    "env: { vars: { PRICE: '5 $$' } }",
  ])('two dollar signs with another meaning are no warning: %s', (fields) => {
    expect(told(fields)).toEqual([]);
  });
});
