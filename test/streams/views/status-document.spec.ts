import { describe, expect, it } from 'vitest';
import { LOOSE, projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { instant, ms, plus } from '../../../src/streams/domain/time.ts';
import { statusDocument, type StatusInput } from '../../../src/streams/views/status-document.ts';
import { idOf, SHOP, specOf } from '../../support/spec.ts';
import { NOW, serviceIn, STATES, TAGS } from '../../support/states.ts';

const shop = { id: SHOP, name: 'Shop', manifest: '/shop/sup.yaml' };
const supervisor = {
  running: true,
  pid: 1,
  version: '0.1.0',
  since: null,
  restarts: null,
  process_start: null,
  warnings: [],
};
const named = (name: string, changes: Partial<Service> = {}): Service => ({
  ...serviceIn('up'),
  spec: specOf(name),
  ...changes,
});
const loose: Service = {
  ...serviceIn('up'),
  spec: { ...specOf('tool', { manifest: '/tool.yaml' }), id: serviceId(LOOSE, 'tool'), project: LOOSE },
};
const status = (input: Partial<StatusInput>): ReturnType<typeof statusDocument> =>
  statusDocument({ services: [], projects: [], supervisor, now: NOW, ...input });

describe('the status document', () => {
  it('the status document is valid without services', () => {
    expect(status({})).toEqual({ schema: 'sup.status/1', supervisor, projects: [] });
  });

  it('the status document shows a service in backoff as documented', () => {
    const service = named('web', {
      runs: 4,
      attempts: 3,
      actual: {
        tag: 'backing-off',
        attempt: 3,
        until: plus(NOW, ms(1500)),
        error: {
          code: 'ERR0101',
          service: idOf('web'),
          status: { tag: 'code', code: 1 },
          evidence: ['oops'],
        },
      },
      lastExit: { status: { tag: 'code', code: 1 }, at: NOW },
      history: [{ at: instant(1_000), from: 'spawning', to: 'starting', cause: 'spawned' }],
    });
    expect(status({ services: [service], projects: [shop] }).projects).toEqual([
      {
        ...shop,
        services: [
          {
            name: 'web',
            kind: 'service',
            wanted: 'up',
            state: 'backoff',
            health: 'unknown',
            reason: 'exited with 1; attempt 3 of 8 in 1.5 s',
            error: null,
            evidence: ['oops'],
            next_step: 'sup logs shop/web -n 50',
            because_of: [],
            pid: null,
            run: 4,
            started_at: '1970-01-01T00:00:01.000Z',
            ready_at: null,
            restarts: 3,
            restarts_total: 0,
            max_restarts: 8,
            next_attempt_at: '1970-01-01T00:01:02.500Z',
            next_run_at: null,
            last_exit: { code: 1, signal: null, success: false, at: '1970-01-01T00:01:01.000Z' },
            last_failure: null,
            awaits_restart: false,
            cpu_percent: null,
            rss_bytes: null,
            slot: null,
            rollout: null,
            deploy: { failed: false, error: null, at: null, rolled_back: false },
          },
        ],
      },
    ]);
  });

  it.each(TAGS)('the status document has each key for a service that is %s', (tag) => {
    const [project] = status({ services: [serviceIn(tag)] }).projects;
    expect(Object.keys(project?.services[0] ?? {})).toHaveLength(27);
    expect(Object.values(project?.services[0] ?? {})).not.toContain(undefined);
  });

  it('the status document has resource use, start and ready time of a running service', () => {
    const usage = (): { cpuPercent: number; rssBytes: number } => ({ cpuPercent: 1.5, rssBytes: 4096 });
    expect(status({ services: [named('web')], usage }).projects[0]?.services[0]).toMatchObject({
      pid: STATES.up.process.pid,
      started_at: '1970-01-01T00:00:01.000Z',
      ready_at: '1970-01-01T00:00:01.000Z',
      cpu_percent: 1.5,
      rss_bytes: 4096,
    });
  });

  it('the status document has no memory of a program whose first pages the kernel has not counted yet', () => {
    const usage = (): { rssBytes: number } => ({ rssBytes: 0 });
    expect(status({ services: [named('web')], usage }).projects[0]?.services[0]?.rss_bytes).toBeNull();
  });

  it('the status document has an error that is not a plain exit', () => {
    const { process } = STATES.stopping;
    const unverified = named('web', {
      actual: { ...STATES.stopping, phase: 'unverified', phaseSince: instant(51_000), survivors: [process] },
    });
    expect(status({ services: [unverified] }).projects[0]?.services[0]?.error).toMatchObject({
      code: 'ERR0112',
      message: expect.stringContaining('1 process alive 10 s after SIGKILL: 300') as string,
    });
  });

  it('the status document groups services by project, and has services outside of projects and empty projects', () => {
    const empty = { id: projectId('empty'), name: 'Empty', manifest: '/empty.yaml' };
    const { projects } = status({ services: [named('web'), loose, named('db')], projects: [empty, shop] });
    expect(projects.map(({ id, name, manifest, services }) => [id, name, manifest, services.length])).toEqual(
      [
        ['shop', 'Shop', '/shop/sup.yaml', 2],
        ['__loose__', 'loose services', '/tool.yaml', 1],
        ['empty', 'Empty', '/empty.yaml', 0],
      ],
    );
  });

  it('the status document lists loose services under their manifest', () => {
    const of = (name: string, manifest: string): Service => ({
      ...loose,
      spec: { ...loose.spec, id: serviceId(LOOSE, name), name, manifest },
    });
    const services = [of('a', '/one.yaml'), of('b', '/two.yaml'), of('c', '/one.yaml')];
    const declared = { id: LOOSE, name: LOOSE, manifest: '/two.yaml' };
    expect(
      status({ services, projects: [declared] }).projects.map((project) => [
        project.id,
        project.name,
        project.manifest,
        project.services.map(({ name }) => name),
      ]),
    ).toEqual([
      ['__loose__', 'loose services', '/one.yaml', ['a', 'c']],
      ['__loose__', 'loose services', '/two.yaml', ['b']],
    ]);
  });

  it.each([
    [{ projects: ['shop'] }, ['web', 'db']],
    [{ services: ['web'] }, ['web']],
    [{ services: ['shop/*', 'tool'] }, ['web', 'db', 'tool']],
    [{ services: ['shop/db'] }, ['db']],
    [{ manifest: '/tool.yaml' }, ['tool']],
    [{ projects: ['shop'], services: ['tool'] }, []],
  ])('the status document shows of %j only what is selected', (selection, names) => {
    const { projects } = status({
      services: [named('web'), loose, named('db')],
      projects: [shop],
      selection,
    });
    expect(projects.flatMap(({ services }) => services.map(({ name }) => name))).toEqual(names);
  });

  const failure = {
    code: 'ERR0101',
    service: idOf('job'),
    status: { tag: 'code', code: 2 },
    evidence: ['no space'],
  } as const;
  const job = (...results: readonly ('success' | 'failure' | 'overlap')[]): Service => ({
    ...named('job', { actual: STATES.scheduled }),
    spec: specOf('job', { kind: 'cron' }),
    schedule: {
      runs: results.map((result) => ({ due: NOW, result, ...(result === 'failure' && { error: failure }) })),
    },
  });

  it.each([
    [['failure'], 'unhealthy'],
    [['failure', 'overlap'], 'unhealthy'],
    [['failure', 'success'], 'unknown'],
  ] as const)('the status document shows a schedule after %j as %s', (results, health) => {
    const shown = status({ services: [job(...results)] }).projects[0]?.services[0];
    expect(shown?.health).toBe(health);
    expect(shown?.error?.code).toBe(health === 'unhealthy' ? 'ERR0101' : undefined);
    expect(shown?.reason?.includes('last run failed: exited with 2')).toBe(health === 'unhealthy');
  });

  it('the status document keeps the error of the last scheduled run while the next one runs', () => {
    const running = { ...job('failure'), actual: STATES.up };
    expect(status({ services: [running] }).projects[0]?.services[0]).toMatchObject({
      state: 'running',
      health: 'unhealthy',
      reason: 'last run failed: exited with 2',
      error: { code: 'ERR0101' },
      evidence: ['no space'],
    });
  });

  it('the status document shows no failed scheduled run of a service that is no longer scheduled', () => {
    const healthy = { ...STATES.up, health: { health: 'healthy', failures: 0 } } as const;
    const service: Service = { ...job('failure'), spec: specOf('job'), actual: healthy };
    expect(status({ services: [service] }).projects[0]?.services[0]).toMatchObject({
      health: 'healthy',
      reason: null,
      error: null,
      evidence: [],
      next_step: null,
    });
  });

  it('the status document has the output of the last failure if its scheduled run does not', () => {
    const { evidence: printed, ...bare } = failure;
    const schedule = { runs: [{ due: NOW, result: 'failure', error: { ...bare, evidence: [] } }] } as const;
    const service = { ...job('failure'), schedule, lastFailure: { at: NOW, error: failure } };
    expect(status({ services: [service] }).projects[0]?.services[0]).toMatchObject({ evidence: printed });
  });

  it('the status document has the slot of a blue/green service, and no slot of any other service', () => {
    const { deployment } = specOf('web');
    const blueGreen = { envVar: 'SLOT', slots: ['one', 'two'], switchCommand: 'true' } as const;
    const spec = specOf('web', { deployment: { ...deployment, blueGreen } });
    const slots = [spec, specOf('web')].map((each) => {
      const { projects } = status({ services: [{ ...serviceIn('up'), spec: each, slot: 'one' }] });
      return projects[0]?.services[0]?.slot;
    });
    expect(slots).toEqual(['one', null]);
  });

  it('the status document has the newest failure, total restarts and a change that needs a restart', () => {
    const service = named('web', {
      restartsTotal: 11,
      lastFailure: { at: NOW, error: failure, exit: failure.status, exitedAt: instant(61_000) },
      revised: specOf('web', { digest: 'newer' }),
    });
    expect(status({ services: [service] }).projects[0]?.services[0]).toMatchObject({
      restarts: 0,
      restarts_total: 11,
      last_failure: { error: { code: 'ERR0101' }, exit: { code: 2, at: '1970-01-01T00:01:01.000Z' } },
      awaits_restart: true,
    });
  });
});
