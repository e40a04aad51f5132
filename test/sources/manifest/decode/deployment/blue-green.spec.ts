import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, wrongWith } from '../../loading.ts';

const wrong = (fields: string): readonly string[] =>
  wrongWith(`deployment: { blue_green: { ${fields} } }`).map((line) => line.replace('deployment.', ''));

describe('blue_green', () => {
  it('needs slots and switch_command; env_var is PORT', () => {
    const { deployment } = serviceWith(
      'deployment: { blue_green: { slots: [8001, "8002"], switch_command: sw } }',
    );
    expect(deployment.blueGreen).toEqual({ envVar: 'PORT', slots: ['8001', '8002'], switchCommand: 'sw' });
  });

  it('takes env_var, state_path, candidate_health_check and switch_verify', () => {
    const { deployment, directory } = serviceWith(
      `deployment:
  blue_green:
    env_var: SLOT
    slots: [blue, green]
    switch_command: "sw {candidate_slot}"
    state_path: run/slot
    candidate_health_check: { url: "http://[::1]:{slot}/" }
    switch_verify: { command: verify }`,
    );
    expect(deployment.blueGreen).toMatchObject({
      envVar: 'SLOT',
      switchCommand: 'sw {candidate_slot}',
      statePath: `${directory}/run/slot`,
      candidateHealthCheck: { probe: { tag: 'http', url: 'http://[::1]:{slot}/' } },
      switchVerify: { probe: { tag: 'command', command: 'verify' } },
    });
  });

  it.each([
    ['switch_command: x', 'ERR0213 blue_green.slots: the key "slots" is missing'],
    ['slots: [a, b]', 'ERR0213 blue_green.switch_command: the key "switch_command" is missing'],
    ['slots: [a], switch_command: x', 'ERR0213 blue_green.slots: 1 entries; it takes exactly 2 entries'],
    [
      'slots: [a, b, c], switch_command: x',
      'ERR0213 blue_green.slots: 3 entries; it takes exactly 2 entries',
    ],
    ['slots: [a, ""], switch_command: x', 'ERR0213 blue_green.slots[1]: "" is empty'],
    [
      'slots: [a, a], switch_command: x',
      'ERR0213 blue_green.slots: the two slots are the same; a candidate needs one of its own',
    ],
    [
      'slots: [a, b], switch_command: x, env_var: 1X',
      'ERR0213 blue_green.env_var: "1X" is not a variable name',
    ],
    [
      'slots: [a, b], switch_command: x, env_var: SUP_UNIT',
      'ERR0213 blue_green.env_var: SUP_UNIT is set by the supervisor itself: the slot needs a variable of its own',
    ],
    ...['LISTEN_FDS', 'LISTEN_FDNAMES', 'LISTEN_PID'].map((name) => [
      `slots: [a, b], switch_command: x, env_var: ${name}`,
      `ERR0213 blue_green.env_var: ${name} is set by the supervisor itself: the slot needs a variable of its own`,
    ]),
    [
      'slots: [a, b], switch_command: x, switch_verify: {}',
      'ERR0213 blue_green.switch_verify: needs command or url',
    ],
  ])('refuses %s', (fields, told) => {
    expect(wrong(fields)).toEqual([told]);
  });

  it.each(['2', '3'])('sets its variable whatever env says, which is told, under version %s', (version) => {
    const slots = 'deployment: { blue_green: { slots: [a, b], switch_command: x } }';
    const fields = `${slots}\nenv: { vars: { PORT: 99, A: b } }`;
    const { manifest, problems } = loadText(manifestOf(fields, version));
    expect(manifest).toBeDefined();
    expect(problems).toMatchObject([
      {
        ...{ code: 'ERR0223', severity: 'warning', path: 'services.web.deployment.blue_green' },
        message: 'PORT of env has no effect: it is set to the slot',
      },
    ]);
  });
});
