import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECK_DEFAULTS } from '../../../src/streams/domain/declared/health-check.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import {
  directoryWith,
  loadText,
  manifestOf,
  portsWith,
  serviceWith,
  toldOf,
  wrongWith,
} from '../loading.ts';

describe('the key deployment', () => {
  it('deployment accepts strategy, pre_start and grace_period', () => {
    expect(
      serviceWith('deployment: { strategy: rolling, pre_start: make, grace_period: 5s }').deployment,
    ).toEqual({
      strategy: 'rolling',
      preStart: 'make',
      gracePeriod: 5000,
    });
  });

  it.each([
    [
      'deployment: { strategy: fast }',
      'ERR0213 deployment.strategy: "fast" is not one of rolling, immediate',
    ],
    ['deployment: { pre_start: "" }', 'ERR0213 deployment.pre_start: "" is empty'],
    [
      'deployment: { grace_period: x }',
      'ERR0210 deployment.grace_period: "x" is not a whole number with ms, s, m or h',
    ],
    ['deployment: rolling', 'ERR0213 deployment: "rolling" is not a map'],
  ])('deployment refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

const wrong = (fields: string): readonly string[] =>
  wrongWith(`deployment: { blue_green: { ${fields} } }`).map((line) => line.replace('deployment.', ''));

describe('the key blue_green', () => {
  it('blue_green requires slots and switch_command; env_var is PORT by default', () => {
    const { deployment } = serviceWith(
      'deployment: { blue_green: { slots: [8001, "8002"], switch_command: sw } }',
    );
    expect(deployment.blueGreen).toEqual({ envVar: 'PORT', slots: ['8001', '8002'], switchCommand: 'sw' });
  });

  it('blue_green accepts env_var, state_path, candidate_health_check and switch_verify', () => {
    const { deployment, directory } = serviceWith(
      `deployment:
  blue_green:
    env_var: SLOT
    slots: [blue, green]
    switch_command: "sw {candidate_slot}"
    state_path: run/slot
    candidate_health_check: { url: "http://{slot}.local/" }
    switch_verify: { command: verify }`,
    );
    expect(deployment.blueGreen).toMatchObject({
      envVar: 'SLOT',
      switchCommand: 'sw {candidate_slot}',
      statePath: `${directory}/run/slot`,
      candidateHealthCheck: { probe: { tag: 'http', url: 'http://{slot}.local/' } },
      switchVerify: { probe: { tag: 'command', command: 'verify' } },
    });
  });

  it.each([
    ['switch_command: x', 'ERR0213 blue_green.slots: the key "slots" is missing'],
    ['slots: [a, b]', 'ERR0213 blue_green.switch_command: the key "switch_command" is missing'],
    ['slots: [a], switch_command: x', 'ERR0213 blue_green.slots: 1 entries; it takes exactly 2 entries'],
    [
      'slots: [a, b], switch_command: x, switch_verify: { log: up }',
      'ERR0222 blue_green.switch_verify.log: switch_verify asks the candidate: it takes command, url or tcp',
    ],
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
      'ERR0213 blue_green.switch_verify: needs command or url or tcp or log or notify',
    ],
  ])('blue_green refuses %s', (fields, told) => {
    expect(wrong(fields)).toEqual([told]);
  });

  it.each(['2', '3'])(
    'blue_green sets its variable regardless of env, with a warning, under version %s',
    (version) => {
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
    },
  );
});

describe('the state_path of two services', () => {
  const twoWith = (paths: readonly string[], more = ''): readonly string[] => {
    const directory = directoryWith({ 'sup.yaml': '' });
    mkdirSync(join(directory, 'run'));
    symlinkSync('run', join(directory, 'link'));
    const services = paths.map((path, n) => {
      const slots = `blue_green: { slots: [a, b], switch_command: x, state_path: ${path} }`;
      return `  s${n}: { command: x, deployment: { ${slots} }${n === 1 ? more : ''} }\n`;
    });
    writeFileSync(join(directory, 'sup.yaml'), `version: 2\nservices:\n${services.join('')}`);
    return toldOf(loadManifest(join(directory, 'sup.yaml'), portsWith()).problems);
  };

  it.each([
    ['run/slot', 'run/../run/slot'],
    ['run/slot', 'link/slot'],
  ])('two services with the same state_path are a warning: %s and %s', (one, other) => {
    const told = twoWith([one, other]);
    expect(told).toHaveLength(1);
    const known = 'services.s0.deployment.blue_green.state_path already';
    expect(told[0]).toMatch(
      `ERR0222 services.s1.deployment.blue_green.state_path: "${other}" stands at ${known}`,
    );
    expect(told[0]).toMatch(/sup\.yaml:3:\d+; each of them overwrites the slot of the other$/);
  });

  it('two services with different state_path, or one of them skipped, are no warning', () => {
    expect(twoWith(['run/slot', 'run/other'])).toEqual([]);
    expect(twoWith(['run/slot', 'run/slot'], ', skip: true')).toEqual([]);
  });
});

const checkWith = (fields: string) =>
  serviceWith(`deployment: { health_check: { ${fields} } }`).deployment.healthCheck;
const wrongCheck = (fields: string): readonly string[] =>
  wrongWith(`deployment: { health_check: { ${fields} } }`).map((line) => line.replace('deployment.', ''));

describe('the key health_check', () => {
  it('health_check has the documented defaults', () => {
    expect(checkWith('command: test -f up')).toEqual({
      probe: { tag: 'command', command: 'test -f up' },
      interval: 2000,
      startInterval: 100,
      startIntervalMax: 500,
      attemptTimeout: 30_000,
      totalTimeout: 0,
      retries: 3,
    });
    expect(checkWith('command: test -f up')).toMatchObject(CHECK_DEFAULTS);
  });

  it.each([
    ['url', 'url: "http://127.0.0.1:8080/up"', { probe: { tag: 'http', url: 'http://127.0.0.1:8080/up' } }],
    ['tcp, a port', 'tcp: 5432', { probe: { tag: 'tcp', tcp: '5432' } }],
    ['tcp, an address', 'tcp: db.local:5432', { probe: { tag: 'tcp', tcp: 'db.local:5432' } }],
    ['tcp, an IPv6 address', 'tcp: "[::1]:80"', { probe: { tag: 'tcp', tcp: '[::1]:80' } }],
    ['log', 'log: "ready (to|now)"', { probe: { tag: 'log', log: 'ready (to|now)' }, totalTimeout: 90_000 }],
    ['notify', 'notify: true', { probe: { tag: 'notify' }, totalTimeout: 90_000 }],
    [
      'watchdog',
      'notify: true, liveness: { watchdog: 5s, on_failure: ignore }',
      {
        liveness: expect.objectContaining({
          probe: { tag: 'watchdog', watchdog: 5000 },
          retries: 1,
        }) as object,
      },
    ],
    ['log, with its time limit', 'log: up, timeout: 5s', { totalTimeout: 5000 }],
    ['interval', 'command: x, interval: 500ms', { interval: 500 }],
    ['attempt_timeout', 'command: x, attempt_timeout: 1s', { attemptTimeout: 1000 }],
    ['total_timeout', 'command: x, total_timeout: 5m', { totalTimeout: 300_000 }],
    ['timeout, its alias', 'command: x, timeout: 5m', { totalTimeout: 300_000 }],
    ['retries', 'command: x, retries: 10', { retries: 10 }],
    ['after_ready', 'command: x, after_ready: 10s', { afterReady: 10_000 }],
    ['after_ready, as a word', 'command: x, after_ready: off', { afterReady: 'off' }],
    ['start_interval', 'command: x, start_interval: 1s', { startInterval: 1000 }],
    ['on_failure', 'command: x, on_failure: stop', { onFailure: 'stop' }],
    [
      'liveness',
      'command: x, liveness: { tcp: 80 }',
      {
        liveness: { probe: { tag: 'tcp', tcp: '80' }, interval: 10_000, attemptTimeout: 30_000, retries: 3 },
      },
    ],
    [
      'liveness with its keys',
      'log: up, liveness: { command: y, interval: 1s, attempt_timeout: 2s, retries: 4, on_failure: ignore }',
      { liveness: { interval: 1000, attemptTimeout: 2000, retries: 4, onFailure: 'ignore' } },
    ],
  ])('health_check accepts %s', (_, fields, expected) => {
    expect(checkWith(fields)).toMatchObject(expected);
  });

  it('on_failure: restart is what happens anyway, and is not kept', () => {
    expect(checkWith('command: x, on_failure: restart')).toEqual(checkWith('command: x'));
  });

  it.each(['interval: 2s', 'start_interval: 100ms', 'interval: 1s, start_interval: 2s'])(
    'a health_check with %s has no other limit for its pauses while starting than its interval',
    (fields) => {
      expect(checkWith(`command: x, ${fields}`)).not.toHaveProperty('startIntervalMax');
    },
  );

  it.each([
    ['interval: 1s', 'ERR0213 health_check: needs command or url or tcp or log or notify'],
    ['command: x, url: "http://a/"', 'ERR0222 health_check.url: command and url exclude each other'],
    ['command: x, tcp: 80', 'ERR0222 health_check.tcp: command and tcp exclude each other'],
    ['url: "http://a/", tcp: 80', 'ERR0222 health_check.tcp: url and tcp exclude each other'],
    ['notify: true, tcp: 80', 'ERR0222 health_check.notify: tcp and notify exclude each other'],
    [
      'notify: false',
      'ERR0213 health_check.notify: false is not true: leave the key out for another kind of check',
    ],
    [
      'tcp: 80, liveness: { watchdog: 5s }',
      'ERR0222 health_check.liveness.watchdog: watchdog needs a service that notifies: only with notify: true in health_check',
    ],
    [
      'notify: true, liveness: { watchdog: 5s, tcp: 80 }',
      'ERR0222 health_check.liveness.watchdog: tcp and watchdog exclude each other',
    ],
    ['log: up, tcp: 80', 'ERR0222 health_check.log: tcp and log exclude each other'],
    [
      'log: "a(b"',
      'ERR0213 health_check.log: "a(b" is no regular expression of RE2: missing closing ): `a(b`',
    ],
    ['log: ""', 'ERR0213 health_check.log: "" is empty'],
    ['tcp: 0', 'ERR0213 health_check.tcp: 0 names port 0, but ports go from 1 to 65535'],
    ['tcp: "a:70000"', 'ERR0213 health_check.tcp: "a:70000" names port 70000, but ports go from 1 to 65535'],
    ['tcp: "localhost"', 'ERR0213 health_check.tcp: "localhost" is not a port, host:port or [address]:port'],
    ['tcp: "::1:80"', 'ERR0213 health_check.tcp: "::1:80" is not a port, host:port or [address]:port'],
    [
      'tcp: "/run/a.sock"',
      'ERR0213 health_check.tcp: "/run/a.sock" is not a port, host:port or [address]:port',
    ],
    [
      'command: x, timeout: 1s, total_timeout: 1s',
      'ERR0222 health_check.timeout: total_timeout and timeout exclude each other',
    ],
    ['command: x, liveness: {}', 'ERR0213 health_check.liveness: needs command or url or tcp or watchdog'],
    [
      'command: x, on_failure: none',
      'ERR0213 health_check.on_failure: "none" is not one of restart, stop, ignore',
    ],
    ['url: "localhost:80"', 'ERR0213 health_check.url: "localhost:80" is not an http or https URL'],
    [
      'url: "http://localhost:70000/"',
      'ERR0213 health_check.url: "http://localhost:70000/" names port 70000, but ports go from 1 to 65535',
    ],
    ['url: "http://"', 'ERR0213 health_check.url: "http://" is not an http or https URL'],
    ['command: x, retries: 0', 'ERR0213 health_check.retries: 0 is not a whole number, 1 or more'],
    ['command: x, attempt_timeout: 0', 'ERR0210 health_check.attempt_timeout: 0 is not greater than zero'],
    ['command: x, after_ready: 0', 'ERR0210 health_check.after_ready: 0 is not greater than zero'],
    ['command: x, start_interval: 0', 'ERR0210 health_check.start_interval: 0 is not greater than zero'],
    [
      'command: x, total_timeout: soon',
      'ERR0210 health_check.total_timeout: "soon" is not a whole number with ms, s, m or h',
    ],
  ])('health_check refuses %s', (fields, told) => {
    expect(wrongCheck(fields)).toEqual([told]);
  });
});
