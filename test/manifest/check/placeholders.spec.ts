import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

const deploymentWith = (fields: string): string => `deployment: { ${fields} }`;
const SLOTS = 'blue_green: { slots: [1, 2], switch_command: x }';

describe('a placeholder of blue/green where there is none', () => {
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
  ])('is refused: %s', (fields, placeholder, path) => {
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
  ])('is refused also where a variable brings it: %s', (fields, path) => {
    expect(wrongWith(`env: { vars: { P: "{slot}", S: slot } }\n${fields}`)).toEqual([
      `ERR0213 ${path}: "{slot}" is filled in for blue_green only, and there is none here`,
    ]);
  });

  it('is one that is not filled in: other braces, and those that quotes part, are text', () => {
    expect(wrongWith('command: \'echo {a,b} {service} {"slot"} $${slot}\'')).toEqual([]);
    expect(wrongWith('env: { vars: { P: "{slot}" } }')).toEqual([]);
  });
});

describe('a placeholder in exec', () => {
  it.each(['', deploymentWith(SLOTS)])('is taken as it is, which is told: %s', (more) => {
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
