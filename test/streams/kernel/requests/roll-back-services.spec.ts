import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { failedRollout } from '../../../../src/streams/rollout/rollback-spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const rolling = { strategy: 'rolling', gracePeriod: ms(0) } as const;
const blueGreen = { envVar: 'PORT', slots: ['8001', '8002'], switchCommand: 'switch' } as const;
const [v1, v2, v3] = (['v1', 'v2', 'v3'] as const).map((digest) =>
  specOf('web', { digest, directory: `/${digest}` }),
) as [ServiceSpec, ServiceSpec, ServiceSpec];
const [r1, r2] = (['r1', 'r2'] as const).map((digest) =>
  specOf('web', { digest, directory: `/${digest}`, deployment: rolling }),
) as [ServiceSpec, ServiceSpec];
const other = specOf('other');

const run = (sup: Kernel, type: 'start' | 'apply' | 'restart', spec: ServiceSpec): void =>
  sup.load(sup.ask({ type, selection: {} }), manifestOf(spec, other));

const rollback: Command = { type: 'rollback', selection: { services: ['web'] } };

const second = (sup: Kernel): { service: ReturnType<typeof idOf>; run: ReturnType<typeof runId> } => ({
  service: idOf('web'),
  run: runId(sup.service('web').rollout?.other.runs ?? 0),
});

const SWITCHED = { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] } as const;

/** The candidate becomes ready and, if it has a slot, gets the traffic; the old run ends. */
const candidateComes = (sup: Kernel): void => {
  const old = { service: idOf('web'), run: runId(sup.service('web').runs) };
  const of = second(sup);
  sup.post({ ...of, type: 'spawned', process: { pid: 2_000 + of.run, startTicks: of.run } });
  sup.post({ ...of, type: 'elapsed', timer: 'stability' });
  sup.post({ ...of, type: 'command-ended', purpose: 'switch', outcome: SWITCHED });
  sup.post({ ...old, type: 'exited', status: { tag: 'code', code: 143 } });
  sup.post({ ...old, type: 'surveyed', alive: [], evidence: [] });
};

const candidateFails = (sup: Kernel): void => {
  const of = second(sup);
  sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
  sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 1 } });
  sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
};

const started = (spec: ServiceSpec): Kernel => {
  const sup = kernel();
  sup.start(spec, other);
  sup.up('web', 'other');
  return sup;
};

/**
 * Both declarations have been ready. The second one runs; an apply replaced the run with the strategy
 * `immediate`.
 */
const deployed = (from = v1, to = v2): Kernel => {
  const sup = started(from);
  run(sup, 'apply', to);
  sup.exit('web', 143);
  sup.up('web');
  expect(sup.service('web')).toMatchObject({ spec: to, actual: { tag: 'up' }, previous: from });
  return sup;
};

const rolledBack = (sup = deployed()): Kernel => {
  sup.ask(rollback);
  sup.exit('web', 143);
  sup.up('web');
  return sup;
};

const last = (sup: Kernel): unknown => sup.replies().at(-1);

/** Returns the declaration that the next run of `web` uses after a crash. */
const crashed = (sup: Kernel): ServiceSpec => {
  sup.exit('web', 1);
  const timer = { service: idOf('web'), run: runId(sup.service('web').runs), timer: 'backoff' } as const;
  sup.post({ type: 'elapsed', ...timer });
  return sup.service('web').spec;
};

describe('a rollback', () => {
  it('a rollback uses the declaration that was ready before the present one', () => {
    const sup = rolledBack();
    expect(sup.service('web')).toMatchObject({ spec: v1, actual: { tag: 'up' }, rolledBack: 'v1' });
    expect(last(sup)).toMatchObject({ ok: true, done: { outcomes: [{ what: 'restarted' }] } });
    expect(failedRollout(sup.service('web'))).toBeUndefined();
  });

  it('a rollback works if the present declaration was never ready', () => {
    const sup = started(v1);
    run(sup, 'apply', v2);
    sup.exit('web', 143);
    sup.spawned('web');
    sup.exit('web', 1);
    expect(sup.tag('web')).toBe('backing-off');
    sup.ask(rollback);
    sup.up('web');
    expect(sup.service('web').spec).toEqual(v1);
    expect(last(sup)).toMatchObject({ ok: true });
  });

  it('a rollback skips a declaration that was never ready', () => {
    const sup = started(v1);
    run(sup, 'apply', v2);
    sup.exit('web', 143);
    sup.spawned('web');
    sup.exit('web', 1);
    run(sup, 'apply', v3);
    sup.up('web');
    expect(sup.service('web')).toMatchObject({ spec: v3, previous: v1 });
  });

  it('a rollback keeps its manifest from later runs, whichever command starts them, also as the old run ends', () => {
    const sup = deployed();
    sup.ask(rollback);
    run(sup, 'start', v2);
    sup.exit('web', 143);
    sup.up('web');
    run(sup, 'start', v2);
    expect(last(sup)).toMatchObject({ done: { warnings: [expect.stringMatching(/was rolled back/)] } });
    expect(crashed(sup)).toEqual(v1);
  });

  it.each(['apply', 'restart'] as const)(
    'a rollback ends with the next %s, which uses the manifest',
    (type) => {
      const sup = rolledBack();
      run(sup, type, v2);
      sup.exit('web', 143);
      sup.up('web');
      const web = sup.service('web');
      expect(web).toMatchObject({ spec: v2, previous: v1 });
      expect([web.rejected, web.rolledBack]).toEqual([undefined, undefined]);
    },
  );

  it('a rollback ends once the manifest declares what it restored', () => {
    const sup = rolledBack();
    run(sup, 'start', v1);
    expect(sup.service('web').rolledBack).toBeUndefined();
  });

  it('a rollback is refused without a previous declaration: one is kept', () => {
    for (const sup of [started(v1), rolledBack()]) {
      sup.ask(rollback);
      expect(last(sup)).toMatchObject({ ok: false, error: { code: 'ERR0303', services: ['shop/web'] } });
    }
  });

  it('a rollback follows the strategy of the service', () => {
    const sup = started(r1);
    run(sup, 'apply', r2);
    candidateComes(sup);
    expect(sup.service('web')).toMatchObject({ spec: r2, previous: r1 });
    sup.ask(rollback);
    expect(sup.service('web').rollout?.other.spec).toEqual(r1);
    candidateComes(sup);
    expect(sup.service('web')).toMatchObject({ spec: r1, rejected: 'r2', rolledBack: 'r1' });
    expect(last(sup)).toMatchObject({ ok: true });
  });

  it('a rollback that fails keeps the running version and holds nothing back', () => {
    const sup = started(r1);
    run(sup, 'apply', r2);
    candidateComes(sup);
    sup.pass(1_000);
    sup.ask(rollback);
    candidateFails(sup);
    expect(last(sup)).toMatchObject({ ok: false, error: { failures: [{ code: 'ERR0115' }] } });
    expect(sup.service('web').rolledBack).toBeUndefined();
    expect(sup.service('web').spec).toEqual(r2);
    run(sup, 'start', r2);
    expect(failedRollout(sup.service('web'))).toBeUndefined();
  });

  it('a rollback after a failed rollout keeps the running version and settles the failure', () => {
    const sup = started(r1);
    run(sup, 'apply', r2);
    candidateFails(sup);
    expect(failedRollout(sup.service('web'))).toBeDefined();
    sup.ask(rollback);
    expect(last(sup)).toMatchObject({ ok: true, done: { outcomes: [{ what: 'running' }] } });
    expect(failedRollout(sup.service('web'))).toBeUndefined();
    expect(crashed(sup)).toEqual(r1);
  });

  it('a rollback during a rollout cancels it, and the old run continues', () => {
    const sup = started(r1);
    run(sup, 'apply', r2);
    const of = second(sup);
    sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.ask(rollback);
    sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 143 } });
    sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(last(sup)).toMatchObject({ ok: true, done: { outcomes: [{ what: 'running' }] } });
    expect(crashed(sup)).toEqual(r1);
  });

  it.each(['rollback', 'apply'] as const)(
    'a declaration without slots leaves the traffic where it is, and its %s says so',
    (type) => {
      const sup = started(v1);
      run(sup, 'apply', specOf('web', { digest: 'v2', deployment: { ...rolling, blueGreen } }));
      candidateComes(sup);
      if (type === 'rollback') sup.ask(rollback);
      else run(sup, 'apply', v1);
      sup.exit('web', 143);
      sup.up('web');
      expect(last(sup)).toMatchObject({
        done: { warnings: [expect.stringContaining('its traffic still goes to slot 8001')] },
      });
    },
  );

  it('a rollback of a first rollout with slots reports that its switch cannot be taken back', () => {
    const sup = started(v1);
    const long = { ...rolling, gracePeriod: ms(60_000), blueGreen };
    run(sup, 'apply', specOf('web', { digest: 'v2', deployment: long }));
    const of = second(sup);
    sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.post({ ...of, type: 'elapsed', timer: 'stability' });
    sup.post({ ...of, type: 'command-ended', purpose: 'switch', outcome: SWITCHED });
    sup.ask(rollback);
    sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 143 } });
    sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
    expect(last(sup)).toMatchObject({ error: { failures: [{ code: 'ERR0116', old: 'unknown' }] } });
    expect(sup.service('web')).toMatchObject({ spec: v1, actual: { tag: 'up' } });
  });
});
