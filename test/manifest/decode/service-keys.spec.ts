import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, toldOf, wrongWith } from '../loading.ts';
import { satisfies } from '../satisfying.ts';

describe('the key backoff', () => {
  it('backoff is constant if it is a duration', () => {
    expect(serviceWith('backoff: 2s').backoff).toEqual({ initial: 2000, max: 2000, factor: 1, jitter: 0 });
  });

  it('backoff grows if it is an object, with the defaults of an unset one', () => {
    expect(serviceWith('backoff: {}').backoff).toEqual(serviceWith('').backoff);
    expect(serviceWith('backoff: { initial: 100ms, max: 1m, factor: 1.5, jitter: 0.1 }').backoff).toEqual({
      initial: 100,
      max: 60_000,
      factor: 1.5,
      jitter: 0.1,
    });
  });

  it.each([
    ['backoff: { factor: 0.5 }', 'ERR0213 backoff.factor: 0.5 is not a number from 1 to 100'],
    ['backoff: { jitter: 2 }', 'ERR0213 backoff.jitter: 2 is not a number from 0 to 1'],
    ['backoff: { initial: x }', 'ERR0210 backoff.initial: "x" is not a whole number with ms, s, m or h'],
    ['backoff: { max: -1 }', 'ERR0210 backoff.max: -1 is less than zero'],
  ])('backoff refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

describe('the key depends_on', () => {
  it('depends_on accepts names, and services with a condition', () => {
    const { manifest } = loadText(`version: 2
projects:
  shop:
    services:
      web: { command: w, depends_on: [db, { service: job, condition: completed }, { service: api, required: false }] }
      db: { command: d }
      job: { command: j }
      api: { command: a }
`);
    expect(manifest?.services[0]?.dependsOn).toEqual([
      { service: 'shop/db', condition: 'started' },
      { service: 'shop/job', condition: 'completed' },
      { service: 'shop/api', condition: 'started', required: false },
    ]);
  });

  it.each([
    ['depends_on: web', 'ERR0213 depends_on: "web" is not a list'],
    ['depends_on: [{ condition: started }]', 'ERR0213 depends_on[0].service: the key "service" is missing'],
    ['depends_on: [[x]]', 'ERR0213 depends_on[0]: a list is not a string'],
  ])('depends_on refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });

  it('depends_on refuses an unknown condition', () => {
    const text =
      'version: 2\nservices: { a: { command: x }, b: { command: x, depends_on: [{ service: a, condition: healthy }] } }';
    expect(toldOf(loadText(text).problems)).toEqual([
      'ERR0213 services.b.depends_on[0].condition: "healthy" is not one of started, completed',
    ]);
  });
});

describe('the key reload', () => {
  it.each([
    ['nginx -s reload', { tag: 'command', command: 'nginx -s reload' }],
    ['{ signal: HUP }', { tag: 'signal', signal: 'SIGHUP' }],
  ])('reload accepts %s', (written, reload) => {
    expect(serviceWith(`reload: ${written}`).reload).toEqual(reload);
  });

  it.each(['15', 'true', '1.5'])('reload is refused like a command: %s', (written) => {
    const text = manifestOf(`reload: ${written}`);
    expect(loadText(text).problems).toMatchObject([
      {
        ...{ code: 'ERR0213', path: 'services.web.reload', hint: 'put it in quotes' },
        message: `${written} is not a string`,
      },
    ]);
    expect(satisfies(text)).toBe(false);
    expect(wrongWith(`command: ${written}`)).toEqual([`ERR0213 command: ${written} is not a string`]);
  });

  it.each(['""', '{ signal: NOPE }', '{ sig: HUP }', '[HUP]'])('reload refuses %s', (written) => {
    expect(wrongWith(`reload: ${written}`).length).toBeGreaterThan(0);
  });
});

describe('the key spawn', () => {
  it('spawn accepts mode and every limit', () => {
    const limits = '{ children: 1, depth: 2, descendants: 3, total_memory: 1G, termination_policy: orphan }';
    expect(serviceWith(`spawn: { mode: dynamic, limits: ${limits} }`).spawn).toEqual({
      mode: 'dynamic',
      children: 1,
      depth: 2,
      descendants: 3,
      totalMemory: 1_073_741_824,
      terminationPolicy: 'orphan',
    });
  });

  it.each([
    ['spawn: { mode: wild }', 'ERR0213 spawn.mode: "wild" is not one of static, dynamic'],
    [
      'spawn: { limits: { children: -1 } }',
      'ERR0213 spawn.limits.children: -1 is not a whole number, 0 or more',
    ],
    ['spawn: { limits: { depth: x } }', 'ERR0213 spawn.limits.depth: "x" is not a whole number, 0 or more'],
    ['spawn: { limits: { descendants: [] } }', 'ERR0213 spawn.limits.descendants: a list is not a number'],
    [
      'spawn: { limits: { termination_policy: kill } }',
      'ERR0213 spawn.limits.termination_policy: "kill" is not one of cascade, orphan, reparent',
    ],
  ])('spawn refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

describe('the key hooks', () => {
  it('hooks are accepted in both forms at once, Form B by stage and outcome', () => {
    const { hooks } = serviceWith(
      `hooks:
  onstart: { command: a, timeout: 5 }
  onerr: { command: b }
  on_start: { success: { command: c }, error: { command: d } }
  on_stop: { success: { command: e }, error: { command: f } }
  on_restart: { success: { command: g }, error: { command: h, timeout: 100ms } }`,
    );
    expect(hooks).toEqual({
      onstart: { command: 'a', timeout: 5000 },
      onerr: { command: 'b' },
      'on_start.success': { command: 'c' },
      'on_start.error': { command: 'd' },
      'on_stop.success': { command: 'e' },
      'on_stop.error': { command: 'f' },
      'on_restart.success': { command: 'g' },
      'on_restart.error': { command: 'h', timeout: 100 },
    });
  });

  it('hooks may omit a stage, an outcome, or everything', () => {
    expect(serviceWith('hooks: { on_stop: { error: { command: x } }, on_start: {} }').hooks).toEqual({
      'on_stop.error': { command: 'x' },
    });
  });

  it.each([
    ['hooks: { onstart: {} }', 'ERR0213 hooks.onstart.command: the key "command" is missing'],
    ['hooks: { onerr: echo }', 'ERR0213 hooks.onerr: "echo" is not a map'],
    [
      'hooks: { on_start: { command: x } }',
      'ERR0211 hooks.on_start.command: "command" is not a key of stage',
    ],
    [
      'hooks: { on_stop: { success: { timeout: 1s } } }',
      'ERR0213 hooks.on_stop.success.command: the key "command" is missing',
    ],
  ])('hooks refuse %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
