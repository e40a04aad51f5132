import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { instant, ms } from '../../../../src/streams/domain/time.ts';
import { failedRollout, lostTraffic } from '../../../../src/streams/rollout/rollback-spec.ts';
import { serviceDocument } from '../../../../src/streams/views/service-document.ts';
import { reasonOf } from '../../../../src/streams/views/words/reason.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const deployment = { strategy: 'rolling', gracePeriod: ms(0) } as const;
const v1 = specOf('web', { digest: 'v1', deployment });
const v2 = specOf('web', { digest: 'v2', directory: '/v2', deployment });
const v3 = specOf('web', { digest: 'v3', directory: '/v3', deployment });
const other = specOf('other');
const blueGreen = { envVar: 'SLOT', slots: ['1', '2'], switchCommand: 'true' } as const;
const slotted = { strategy: 'rolling', gracePeriod: ms(60_000), blueGreen } as const;
const s1 = specOf('web', { digest: 's1', deployment: slotted });
const s2 = specOf('web', { digest: 's2', directory: '/s2', deployment: slotted });

const named = (type: 'start' | 'apply' | 'restart' | 'plan', ...services: readonly string[]): Command => ({
  type,
  selection: services.length === 0 ? {} : { services },
});

const run = (sup: Kernel, command: Command, spec: ServiceSpec): void =>
  sup.load(sup.ask(command), manifestOf(spec, other));

/** The candidate ends before it is ready. */
const candidateFails = (sup: Kernel): void => {
  const of = { service: idOf('web'), run: runId(sup.service('web').rollout?.other.runs ?? 0) };
  sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
  sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 1 } });
  sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
};

const running = (): Kernel => {
  const sup = kernel();
  sup.start(v1, other);
  sup.up('web', 'other');
  return sup;
};

/** The rollout of v2 has failed, and v1 continues to run. */
const failed = (): Kernel => {
  const sup = running();
  run(sup, named('apply'), v2);
  candidateFails(sup);
  expect(sup.service('web')).toMatchObject({ spec: v1, actual: { tag: 'up' } });
  expect(sup.service('web').rollout).toBeUndefined();
  return sup;
};

/** The rollout of a declaration with slots was cancelled after the switch, and the switch back failed. */
const calledOff = (by: Command): Kernel => {
  const sup = kernel();
  sup.start(s1, other);
  sup.up('web', 'other');
  run(sup, named('apply'), s2);
  const of = { service: idOf('web'), run: runId(2) };
  const switched = (code: number): void => {
    const outcome = { tag: 'ended', status: { tag: 'code', code }, evidence: [] } as const;
    sup.post({ ...of, type: 'command-ended', purpose: 'switch', outcome });
  };
  sup.post({ ...of, type: 'spawned', process: { pid: 2_000, startTicks: 2 } });
  sup.post({ ...of, type: 'elapsed', timer: 'stability' });
  switched(0);
  if (by.type === 'stop') sup.ask(by);
  else run(sup, by, s2);
  switched(1);
  sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 143 } });
  sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
  return sup;
};

const reasonIn = (sup: Kernel): string | null =>
  reasonOf(sup.service('web'), { now: instant(0), byId: () => undefined });

const troubleCode = (sup: Kernel): string | undefined => {
  const now = instant(0);
  const document = serviceDocument(sup.service('web'), { now, byId: () => undefined });
  expect(document.deploy.failed).toBe(true);
  return document.error?.code;
};

/** Returns the declaration that the next run of `web` uses after a crash. */
const crashed = (sup: Kernel): ServiceSpec => {
  sup.exit('web', 1);
  const { runs } = sup.service('web');
  sup.post({ type: 'elapsed', service: idOf('web'), run: runId(runs), timer: 'backoff' });
  expect(sup.tag('web')).toBe('spawning');
  return sup.service('web').spec;
};

/** The supervisor dies, and the next supervisor reads the manifest. */
const reborn = (sup: Kernel, declared: ServiceSpec, sameBoot = true): Kernel => {
  const next = kernel();
  const manifest = manifestOf(declared, other);
  next.post({
    type: 'booted',
    settings: sup.state().settings,
    registered: [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }],
    restored: [sup.service('web'), sup.service('other')],
    found: [],
    ...(sameBoot && { continued: true }),
    sameBoot,
    warnings: [],
  });
  return next;
};

describe('a declaration whose rollout failed', () => {
  it.each(['start', 'apply', 'restart'] as const)(
    'a failed declaration is not used after a %s of another service',
    (type) => {
      const sup = failed();
      run(sup, named(type, 'other'), v2);
      expect(crashed(sup)).toEqual(v1);
    },
  );

  it('a failed declaration is not used when its service starts', () => {
    const sup = failed();
    run(sup, named('start', 'web'), v2);
    expect(crashed(sup)).toEqual(v1);
  });

  it('a failed declaration is not used by a later supervisor', () => {
    expect(crashed(reborn(failed(), v2))).toEqual(v1);
  });

  it('a failed declaration is not used, although it was registered while its candidate was withdrawn', () => {
    const sup = running();
    run(sup, named('apply'), v2);
    const of = { service: idOf('web'), run: runId(sup.service('web').rollout?.other.runs ?? 0) };
    sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 1 } });
    run(sup, named('start', 'other'), v2);
    sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(crashed(sup)).toEqual(v1);
  });

  it('a failed declaration is shown as a change by a plan, which changes nothing', () => {
    const sup = failed();
    run(sup, named('plan'), v2);
    expect(sup.replies().at(-1)).toMatchObject({
      ok: true,
      done: { plan: { changes: [{ service: v2.id }] } },
    });
    expect(crashed(sup)).toEqual(v1);
  });

  it.each([named('apply'), named('apply', 'web'), named('restart', 'web')])(
    'a failed declaration is tried again by an apply or restart of its service',
    (command) => {
      const sup = failed();
      run(sup, named('start', 'other'), v2);
      run(sup, command, v2);
      expect(sup.service('web').rollout?.other.spec).toEqual(v2);
      candidateFails(sup);
      run(sup, named('start', 'other'), v2);
      expect(crashed(sup)).toEqual(v1);
    },
  );

  it('a failed declaration is dropped for a newer one', () => {
    const sup = failed();
    run(sup, named('start', 'other'), v3);
    expect(crashed(sup)).toEqual(v3);
  });

  it('a failed declaration replaces a newer one that is taken back', () => {
    const sup = failed();
    run(sup, named('start', 'other'), v3);
    run(sup, named('start', 'other'), v2);
    expect(crashed(sup)).toEqual(v1);
  });

  it('a failed declaration is not tried again by a refused apply', () => {
    const sup = failed();
    run(sup, named('apply', 'web', 'nobody'), v2);
    expect(sup.replies().at(-1)).toMatchObject({ ok: false });
    expect(crashed(sup)).toEqual(v1);
  });
});

describe('a failed rollout', () => {
  const isFailed = (sup: Kernel): boolean => failedRollout(sup.service('web')) !== undefined;

  it('a failed rollout is remembered after a crash of the old run and by a later supervisor', () => {
    const sup = failed();
    expect(failedRollout(sup.service('web'))).toMatchObject({ error: { code: 'ERR0115' } });
    crashed(sup);
    expect(isFailed(sup)).toBe(true);
    expect(isFailed(reborn(failed(), v2))).toBe(true);
  });

  it('a failed rollout is reported by each start that uses the previous declaration', () => {
    const sup = failed();
    run(sup, named('start', 'web'), v2);
    expect(sup.replies().at(-1)).toMatchObject({
      ok: true,
      done: { warnings: [expect.stringMatching(/^shop\/web is started as .*: sup apply shop\/web$/)] },
    });
    run(sup, named('start', 'other'), v2);
    expect(sup.replies().at(-1)).toMatchObject({ ok: true, done: { warnings: [] } });
  });

  it('a failed rollout is settled once the manifest declares the running version again', () => {
    const sup = failed();
    run(sup, named('start', 'other'), v1);
    expect(isFailed(sup)).toBe(false);
  });

  it('a failed rollout is the reason of its service until its declaration is taken back', () => {
    const sup = failed();
    expect(reasonIn(sup)).toContain('ERR0115');
    run(sup, named('start'), v1);
    expect(reasonIn(sup)).toBeNull();
  });

  it('a failed restart is the reason of its service as long as the old run goes on', () => {
    const sup = running();
    run(sup, named('restart', 'web'), v1);
    candidateFails(sup);
    expect(reasonIn(sup)).toContain('ERR0115');
  });

  it('a failed rollout is not settled by a plan or a merely registered declaration', () => {
    const sup = failed();
    run(sup, named('plan'), v1);
    run(sup, named('start', 'other'), v3);
    expect(isFailed(sup)).toBe(true);
  });

  it('a failed rollout is settled once another declaration is applied', () => {
    const sup = failed();
    run(sup, named('apply'), v3);
    const of = { service: idOf('web'), run: runId(sup.service('web').rollout?.other.runs ?? 0) };
    sup.post({ ...of, type: 'spawned', process: { pid: 78, startTicks: 8 } });
    sup.post({ ...of, type: 'elapsed', timer: 'stability' });
    expect(sup.service('web').spec).toEqual(v3);
    expect(isFailed(sup)).toBe(false);
  });

  it('a failed rollout is settled once a new run uses another declaration', () => {
    const sup = failed();
    run(sup, named('start', 'other'), v3);
    crashed(sup);
    expect(isFailed(sup)).toBe(false);
  });

  it('a failed rollout leaves a service in trouble if the switch could not be taken back', () => {
    const sup = calledOff({ type: 'stop', selection: { services: ['web'] } });
    expect(lostTraffic(sup.service('web'))).toMatchObject({ error: { code: 'ERR0116', old: 'unknown' } });
    expect(troubleCode(sup)).toBe('ERR0116');
    expect(troubleCode(failed())).toBeUndefined();
  });
});

describe('a canceled rollout whose switch could not be taken back', () => {
  it('a canceled declaration is rolled out again by the restart that canceled it', () => {
    const sup = calledOff(named('restart', 'web'));
    expect(sup.service('web').rollouts?.at(-1)).toMatchObject({
      outcome: 'failed',
      error: { code: 'ERR0116', old: 'unknown' },
    });
    expect(sup.service('web').rollout?.other.spec).toEqual(s2);
  });

  it('a canceled declaration is used by the next start after the stop that canceled it', () => {
    const sup = calledOff({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    run(sup, named('start', 'web'), s2);
    expect(sup.service('web').spec).toEqual(s2);
  });
});

describe('a rollout that a reboot ended', () => {
  const rebooted = (sup: Kernel): Kernel => reborn(sup, v2, false);

  it('a reboot keeps a declaration failed that had failed by then', () => {
    const sup = running();
    run(sup, named('apply'), v2);
    const of = { service: idOf('web'), run: runId(2) };
    sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 1 } });
    const web = rebooted(sup).service('web');
    expect(web).toMatchObject({ spec: v1, rejected: 'v2' });
    expect(web.rollouts).toMatchObject([{ outcome: 'failed', error: { code: 'ERR0115' } }]);
  });

  it('a declaration whose rollout was under way at a reboot is used', () => {
    const sup = running();
    run(sup, named('apply'), v2);
    expect(rebooted(sup).service('web').spec).toEqual(v2);
  });
});
