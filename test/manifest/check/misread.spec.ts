import { describe, expect, it } from 'vitest';
import { loadText, manifestOf } from '../loading.ts';

const SLOTS = 'blue_green: { slots: [1, 2], switch_command: "x {candidate_slot}" }';

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

describe('a placeholder of blue/green where nothing fills it in', () => {
  it.each([
    [`working_dir: "/srv/{slot}"\ndeployment: { ${SLOTS} }`, 'working_dir'],
    [`env: { vars: { DIR: "/srv/{slot}" } }\ndeployment: { ${SLOTS} }`, 'env.vars.DIR'],
    [`env: { strip: ["A"], vars: { url: "{active_slot}" } }\ndeployment: { ${SLOTS} }`, 'env.vars.url'],
    [
      'deployment: { blue_green: { slots: [1, 2], switch_command: x, state_path: "s-{slot}" } }',
      'deployment.blue_green.state_path',
    ],
    ['env: { vars: { DIR: "{slot}" } }', 'env.vars.DIR'],
  ])('is a warning: %s', (fields, path) => {
    expect(told(fields)).toEqual([`ERR0223 warning ${path}`]);
  });

  it.each([
    `command: "serve {slot}"\ndeployment: { pre_start: "x {slot}", ${SLOTS} }`,
    `deployment: { health_check: { url: "http://127.0.0.1:{slot}/" }, ${SLOTS} }`,
    `hooks: { onerr: { command: "tell {slot}" } }\nreload: "kill {slot}"\nskip: "test {slot}"\ndeployment: { ${SLOTS} }`,
  ])('is none where it is filled in: %s', (fields) => {
    expect(told(fields)).toEqual([]);
  });

  it('is none in a variable that a command takes up', () => {
    expect(
      told(`env: { vars: { BASE: "http://a:{slot}" } }\ncommand: "probe \${BASE}"\ndeployment: { ${SLOTS} }`),
    ).toEqual([]);
  });
});

describe('two dollar signs where a shell has its process id', () => {
  it.each([
    ["command: 'echo $$ > web.pid'", 'command'],
    ["command: 'exec log /tmp/web.$$'", 'command'],
    ["command: 'touch /tmp/$$.lock'", 'command'],
    ["deployment: { pre_start: 'kill $$' }", 'deployment.pre_start'],
    ["hooks: { onerr: { command: 'kill $$' } }", 'hooks.onerr.command'],
    ["reload: 'kill -HUP $$'", 'reload'],
  ])('are a warning: %s', (fields, path) => {
    expect(told(fields)).toEqual([`ERR0216 warning ${path}`]);
  });

  it.each([
    "command: 'echo $$$$ > web.pid'",
    "command: 'echo $${HOME} $$HOME $$(id) $$1 $HOME'",
    'exec: [sh, -c, "echo $$"]',
    "env: { vars: { PRICE: '5 $$' } }",
  ])('are none where they mean something else: %s', (fields) => {
    expect(told(fields)).toEqual([]);
  });
});
