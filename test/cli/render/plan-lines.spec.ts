import { describe, expect, it } from 'vitest';
import { isSomething, noPlanLines, planLines, takenUpLines } from '../../../src/cli/render/plan-lines.ts';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import type { ChangedKey } from '../../../src/streams/domain/apply-plan.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { projectOf, serviceOf, statusOf } from '../support/documents.ts';

const USER = { sys: false };
const UNCHANGED = 'no changes';
const stopped = (count: number) =>
  Array.from({ length: count }, (_, index) => serviceOf({ name: `s${index}`, state: 'stopped' }));

describe('an empty plan', () => {
  it('an empty plan says no more if everything runs, is done or is skipped', () => {
    const services = (['running', 'done', 'skipped', 'scheduled', 'backoff'] as const).map((state) =>
      serviceOf({ name: state, state }),
    );
    expect(noPlanLines(statusOf([projectOf(services)]), USER)).toEqual([UNCHANGED]);
  });

  it('an empty plan names services that do not run, with the command that starts them', () => {
    const shop = projectOf([serviceOf(), serviceOf({ name: 'api', state: 'breaker-open' })]);
    const loose = projectOf([serviceOf({ name: 'mail', state: 'stopped' })], '__loose__');
    expect(noPlanLines(statusOf([shop, loose]), USER)).toEqual([
      UNCHANGED,
      '2 services do not run: shop/api, mail',
      '  sup start shop/api mail starts them',
    ]);
    expect(noPlanLines(statusOf([loose]), { sys: true })).toEqual([
      UNCHANGED,
      '1 service does not run: mail',
      '  sup start --sys mail starts it',
    ]);
  });

  it('an empty plan names ten services at most', () => {
    const [, told, command] = noPlanLines(statusOf([projectOf(stopped(12))]), USER);
    expect(told).toMatch(/^12 services do not run: shop\/s0, .*shop\/s9 and 2 more$/);
    expect(command).toBe('  sup start NAME… starts them');
  });
});

it('a plan names changes for the whole supervisor', () => {
  const tables = [{ key: 'status.snapshot_mode', from: 'detailed', to: 'summary' }];
  expect(isSomething({ changes: [], tables })).toBe(true);
  expect(isSomething({ changes: [] })).toBe(false);
  expect(planLines({ changes: [], tables }, paintOf(false))).toEqual([
    '~ status, metrics  change: of the whole supervisor',
    '    status.snapshot_mode: detailed → summary',
  ]);
  expect(takenUpLines(tables)).toEqual(['in force now: status.snapshot_mode: detailed → summary']);
});

it('a plan names a rollout that is cancelled', () => {
  const service = serviceId(projectId('shop'), 'web');
  const change = { service, action: 'change', strategy: 'rolling', keys: [], rest: 'called-off' } as const;
  expect(planLines({ changes: [change] }, paintOf(false))).toEqual([
    '~ shop/web  change, rolling: its rollout is called off, and the run that is there goes on',
  ]);
});

it('a plan names keys that apply without a restart', () => {
  const service = serviceId(projectId('shop'), 'web');
  const change = {
    service,
    action: 'change',
    strategy: 'rolling',
    rest: 'live',
    down: ms(0),
    keys: [
      { key: 'stop_timeout', from: '10s', to: '20s' },
      { key: 'reload.signal', to: 'SIGHUP' },
    ],
  } as const;
  expect(planLines({ changes: [change] }, paintOf(false))).toEqual([
    '~ shop/web  change: takes up stop_timeout, reload without a restart',
    '    stop_timeout: 10s → 20s',
    '    reload.signal: SIGHUP (new)',
  ]);
});

it('a plan marks the keys that need a new run among others', () => {
  const service = serviceId(projectId('shop'), 'web');
  const change = { service, action: 'change', strategy: 'rolling', down: ms(0) } as const;
  const command = { key: 'command', from: 'a', to: 'b', newRun: true } as const;
  const timeout = { key: 'stop_timeout', from: '10s', to: '20s' };
  const linesOf = (...keys: readonly ChangedKey[]) =>
    planLines({ changes: [{ ...change, keys }] }, paintOf(false)).slice(1);
  expect(linesOf(command, timeout)).toEqual([
    '    command: a → b (needs a new run)',
    '    stop_timeout: 10s → 20s',
  ]);
  expect(linesOf(command)).toEqual(['    command: a → b']);
});

it('a plan names a dependency that will not become ready', () => {
  const web = serviceId(projectId('shop'), 'web');
  const waitsFor = serviceId(projectId('shop'), 'db');
  const planned = { service: web, strategy: 'immediate', keys: [], waitsFor } as const;
  const changes = [
    { ...planned, action: 'add', down: ms(0) },
    { ...planned, action: 'change', rest: 'kept' },
  ] as const;
  expect(planLines({ changes }, paintOf(false))).toEqual([
    '+ shop/web  add: waits for shop/db, which does not run',
    '~ shop/web  change, immediate: goes on as it is: shop/db, which it needs, does not run',
  ]);
});

it('a plan has each key on one line, whatever its value contains', () => {
  const change = {
    service: serviceId(projectId('shop'), 'web'),
    action: 'change',
    strategy: 'immediate',
    keys: [{ key: 'command', from: 'a', to: 'b\n- shop/db  remove: stops\u001b[2J' }],
  } as const;
  expect(planLines({ changes: [change] }, paintOf(false)).slice(1)).toEqual([
    '    command: a → b\\n- shop/db  remove: stops\\x1b[2J',
  ]);
});
