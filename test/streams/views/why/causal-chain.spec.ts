import { describe, expect, it } from 'vitest';
import { withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import type { Check, HealthCheck } from '../../../../src/streams/domain/declared/health-check.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { instant, ms } from '../../../../src/streams/domain/time.ts';
import { inspectDocument } from '../../../../src/streams/views/inspect-document.ts';
import { lookUpIn } from '../../../../src/streams/views/state-snapshot.ts';
import { idOfInspected, whyOf } from '../../../../src/streams/views/why/causal-chain.ts';
import type { WhyService } from '../../../../src/streams/wire/documents/why-document.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';
import { BEGAN, NOW, serviceIn, STATES, TAGS } from '../../../support/states.ts';
import { CHECK } from '../../../support/variants.ts';

const named = (name: string, service: Service, ...on: readonly string[]): Service => ({
  ...service,
  spec: specOf(name, { dependsOn: needs(...on) }),
});

/** Explains the state of the first of these services. */
const why = (
  services: readonly Service[],
  more: { supervised?: boolean; sys?: boolean } = {},
): WhyService => {
  const document = inspectDocument({
    services,
    byId: lookUpIn(services),
    supervisor: {
      running: true,
      pid: 1,
      version: 'x',
      since: null,
      process_start: null,
      restarts: null,
      warnings: [],
    },
    settings: DEFAULT_SETTINGS,
    dataDir: '/data',
    now: NOW,
  });
  const find = (id: string) => document.services.find((one) => idOfInspected(one) === id);
  const [first] = document.services;
  if (first === undefined) throw new Error('nobody');
  return whyOf(first, { now: NOW, supervised: true, sys: false, ...more, find });
};

const commands = ({ actions }: WhyService): readonly string[] => actions.map(({ command }) => command);

const NEXT: Readonly<Record<(typeof TAGS)[number], string>> = {
  down: 'stays down until you run: sup start shop/web',
  scheduled: 'nothing by itself: its schedule has no next run',
  waiting: 'starts as soon as others are ready or have failed (start/max_concurrent)',
  preparing: 'running if it is still up after startup_stability_ms',
  spawning: 'running if it is still up after startup_stability_ms',
  starting: 'running if it is still up after startup_stability_ms',
  up: 'nothing, it is running',
  stopping: 'restart_policy decides when all its processes are gone',
  'backing-off': 'restarts in 0 ms',
  broken: 'stays down until you run: sup start shop/web',
  casualty: 'starts by itself',
};

describe('sup why', () => {
  it.each(TAGS)('why gives for a service in %s the cause, what happens next, and what to do', (tag) => {
    const told = why([serviceIn(tag)]);
    expect(told.next.text).toBe(NEXT[tag]);
    expect(told.chain[0]).toMatchObject({ service: 'shop/web', state: told.state });
    expect(told.roots.map(({ service }) => service)).toEqual(['shop/web']);
    expect(commands(told).length).toBeGreaterThan(0);
    for (const command of commands(told)) expect(command).toMatch(/^sup [a-z]+ shop\/web( |$)/);
  });

  it.each(TAGS)('why does not refer to the log of a service in %s if it is not kept', (tag) => {
    const service = { ...serviceIn(tag), spec: specOf('web', { logs: { sink: 'none' } }) };
    for (const supervised of [true, false]) {
      const told = why([service], { supervised });
      expect(commands(told).join()).not.toContain('sup logs');
      expect(new Set(commands(told)).size).toBe(commands(told).length);
      expect(told.roots.map(({ advice }) => advice).join()).not.toContain('sup logs');
    }
  });

  it.each([
    [{ tag: 'new' }, 'stopped', 'sup start shop/web'],
    [{ tag: 'ended' }, 'stopped', 'sup start shop/web'],
    [{ tag: 'completed' }, 'done', 'sup start shop/web'],
    [{ tag: 'skipped', by: 'manifest' }, 'skipped', 'sup start shop/web'],
    [
      { tag: 'failed', error: { code: 'ERR0101', service: idOf('web'), status: { tag: 'unknown' } } },
      'lost',
      'sup logs shop/web -n 50',
    ],
    [
      { tag: 'failed', error: { code: 'ERR0113', service: idOf('web'), detail: 'no such file' } },
      'failed',
      'sup logs shop/web -n 50',
    ],
  ] as const)('why covers each reason to be down: %j', (reason, state, command) => {
    const told = why([{ ...serviceIn('down'), actual: { tag: 'down', why: reason } }]);
    expect(told.state).toBe(state);
    expect(told.next.text).toMatch(/^(?:nothing by itself|stays down until you run): /);
    expect(commands(told)).toContain(command);
  });

  it('why follows the chain to its root: output, history and remedy', () => {
    const error = {
      code: 'ERR0102',
      service: idOf('db'),
      status: { tag: 'code', code: 1 },
      evidence: ['no disk'],
    } as const;
    const db: Service = {
      ...serviceIn('backing-off'),
      actual: { tag: 'backing-off', attempt: 2, until: instant(NOW + 4_000), error },
      history: [{ at: BEGAN, from: 'stopping', to: 'backing-off', cause: 'surveyed' }],
    };
    const api: Service = { ...serviceIn('casualty'), actual: { tag: 'casualty', of: [idOf('db')] } };
    const web: Service = {
      ...serviceIn('casualty'),
      actual: { tag: 'casualty', of: [idOf('api')] },
      history: [{ at: BEGAN, from: 'stopping', to: 'casualty', cause: 'fell', facts: { of: [idOf('api')] } }],
    };
    const told = why([named('web', web, 'api'), named('api', api, 'db'), named('db', db)]);
    expect(told.chain.map(({ service, state }) => `${service} ${state}`)).toEqual([
      'shop/web casualty',
      'shop/api casualty',
      'shop/db backoff',
    ]);
    expect(told.chain[0]).toMatchObject({
      since: '1970-01-01T00:00:01.000Z',
      event: 'shop/api failed',
      because_of: ['shop/api'],
    });
    expect(told.roots).toMatchObject([
      { service: 'shop/db', printed: ['no disk'], advice: 'sup logs shop/db -n 50' },
    ]);
    expect(told.roots[0]?.history).toHaveLength(1);
    expect(told.next).toEqual({
      at: '1970-01-01T00:01:05.000Z',
      text: 'shop/db restarts in 4 s; this service starts when that is ready',
    });
    expect(commands(told)).toEqual(['sup logs shop/db -n 50', 'sup restart shop/db']);
  });

  it('why says that nothing happens by itself if the root is down for good', () => {
    const told = why([named('web', serviceIn('waiting'), 'db'), named('db', serviceIn('broken'))]);
    expect(told.next.text).toBe('nothing by itself: starts when shop/db is started again');
    expect(commands(told)).toContain('sup start shop/db');
  });

  /** Returns a service that restarts after this time. */
  const back = (name: string, until: number): Service => {
    const error = { code: 'ERR0101', service: idOf(name), status: { tag: 'code', code: 1 } } as const;
    const actual = { tag: 'backing-off', attempt: 2, until: instant(NOW + until), error } as const;
    return named(name, { ...serviceIn('backing-off'), actual });
  };
  const fallen = (...of: readonly string[]): Service => ({
    ...serviceIn('casualty'),
    actual: { tag: 'casualty', of: of.map(idOf) },
  });

  it('why has the time of each of several root causes, and the service starts after the last one', () => {
    const told = why([named('web', fallen('b', 'a'), 'a', 'b'), back('a', 4_000), back('b', 60_000)]);
    expect(told.next).toEqual({
      at: '1970-01-01T00:02:01.000Z',
      text: 'shop/a restarts in 4 s, shop/b in 1 min; this service starts when all of them are ready',
    });
  });

  it('why says that the service also waits for a root cause without a time', () => {
    const told = why([
      named('web', fallen('b', 'a'), 'a', 'b'),
      back('a', 4_000),
      named('b', serviceIn('starting')),
    ]);
    expect(told.next.text).toBe(
      'shop/a restarts in 4 s; this service starts when that is ready and shop/b is ready',
    );
  });

  it('why does not name a dependency that has recovered', () => {
    const told = why([
      named('top', fallen('web'), 'web'),
      named('web', fallen('b', 'a'), 'a', 'b'),
      named('a', serviceIn('up')),
      back('b', 60_000),
    ]);
    expect(told.next.text).toBe('shop/b restarts in 1 min; this service starts when that is ready');
  });

  it('why names a running dependency that must complete', () => {
    const needsJob = [{ service: idOf('job'), condition: 'completed' }] as const;
    const web = { ...serviceIn('waiting'), spec: specOf('web', { dependsOn: needsJob }) };
    expect(why([web, named('job', serviceIn('up'))]).next.text).toBe('starts when shop/job is ready');
  });

  it('why ends if two services wait for each other, or if a service is missing', () => {
    const a: Service = { ...serviceIn('casualty'), actual: { tag: 'casualty', of: [idOf('b')] } };
    const b: Service = { ...serviceIn('casualty'), actual: { tag: 'casualty', of: [idOf('a')] } };
    expect(why([named('a', a, 'b'), named('b', b, 'a')]).chain).toHaveLength(2);
    expect(why([serviceIn('casualty')]).chain).toHaveLength(1);
  });

  it('why has the next run of a schedule and a pending change', () => {
    const cron: Service = { ...serviceIn('scheduled'), schedule: { due: instant(NOW + 60_000), runs: [] } };
    expect(why([cron]).next).toEqual({ at: '1970-01-01T00:02:01.000Z', text: 'runs in 1 min' });
    const changed: Service = { ...serviceIn('up'), revised: specOf('web') };
    expect(why([changed]).next.text).toBe('keeps running; sup apply applies what has changed');
    expect(commands(why([changed]))[0]).toBe('sup apply shop/web');
  });

  it('why says how often a ready service is probed if after_ready is given', () => {
    const probe = { tag: 'http', url: 'http://localhost/' } as const;
    const times = {
      interval: ms(2_000),
      startInterval: ms(100),
      attemptTimeout: ms(30_000),
      totalTimeout: ms(0),
    };
    const check = { probe, ...times, retries: 3 };
    const text = (more: Partial<HealthCheck>): string => {
      const deployment = {
        strategy: 'immediate',
        gracePeriod: ms(0),
        healthCheck: { ...check, ...more },
      } as const;
      return why([serviceIn('up', { deployment })]).next.text;
    };
    expect([text({}), text({ afterReady: ms(10_000) }), text({ afterReady: 'off' })]).toEqual([
      'nothing, it is running',
      'nothing, it is running; its health is checked every 10 s (after_ready)',
      'nothing, it is running; its health is no longer checked (after_ready: off)',
    ]);
  });

  it('why has the dependency that the candidate of a service waits for', () => {
    const revised = specOf('web', { digest: 'newer', dependsOn: needs('db') });
    const web = withRollout({ ...serviceIn('up'), revised }, NOW, false);
    const stopped = why([web, named('db', serviceIn('down'))]);
    expect(stopped.chain.map(({ service }) => service)).toEqual([idOf('web'), idOf('db')]);
    expect(stopped.next.text).toBe('keeps running; its new run begins when shop/db is started again');
    expect(commands(stopped)).toEqual(['sup start shop/db']);
    expect(why([web, named('db', serviceIn('starting'))]).next.text).toBe(
      'keeps running; its new run begins when shop/db is ready',
    );
  });

  it('why says how many more failed probes stop a service', () => {
    const error = { code: 'ERR0104', service: idOf('web'), detail: 'HTTP 500' } as const;
    const failing: Service = {
      ...serviceIn('up'),
      spec: specOf('web', {
        deployment: { ...serviceIn('up').spec.deployment, healthCheck: { ...CHECK, retries: 5 } },
      }),
      actual: { ...STATES.up, health: { health: 'healthy', failures: 2, error } },
    };
    expect(why([failing]).next.text).toBe(
      'stopped after 5 failed probes in a row; then restart_policy decides',
    );
  });

  it('if only liveness probes a ready service, why says what it probes and what its failure causes', () => {
    const error = { code: 'ERR0104', service: idOf('web'), detail: 'HTTP 500', liveness: true } as const;
    const text = (more: Partial<Check>, isFailing: boolean): string => {
      const liveness = { ...CHECK, interval: ms(10_000), retries: 7, ...more };
      const { deployment } = serviceIn('up').spec;
      const spec = specOf('web', { deployment: { ...deployment, healthCheck: { ...CHECK, liveness } } });
      const alive = { health: 'unhealthy', failures: 2, error, liveness: true } as const;
      return why([{ ...serviceIn('up'), spec, actual: { ...STATES.up, ...(isFailing && { alive }) } }]).next
        .text;
    };
    expect(text({}, false)).toBe('nothing, it is running; liveness asks it every 10 s');
    expect(text({}, true)).toBe('stopped after 7 failed probes in a row; then restart_policy decides');
    expect(text({ onFailure: 'stop' }, true)).toBe(
      'stopped after 7 failed probes in a row; it is not restarted (on_failure: stop)',
    );
    expect(text({ onFailure: 'ignore' }, true)).toBe(
      'keeps running, whatever its probes say (on_failure: ignore)',
    );
  });

  it('if both checks probe a ready service, why says what the failing check causes', () => {
    const healthCheck = { ...CHECK, afterReady: ms(1), liveness: { ...CHECK, onFailure: 'ignore' } } as const;
    const spec = specOf('web', { deployment: { ...serviceIn('up').spec.deployment, healthCheck } });
    const error = { code: 'ERR0023', service: idOf('web'), limit: ms(1) } as const;
    const next = (failing: object): string =>
      why([{ ...serviceIn('up'), spec, actual: { ...STATES.up, ...failing } }]).next.text;
    expect(next({ health: { health: 'unhealthy', failures: 1, error } })).toMatch(/^stopped after \d/);
    const alive = { health: 'unhealthy', failures: 1, error: { ...error, liveness: true } } as const;
    expect(next({ alive })).toMatch(/on_failure: ignore/);
  });

  it('why says without a supervisor how to start one, also for privileged commands', () => {
    expect(why([serviceIn('backing-off')], { supervised: false }).next.text).toMatch(/no supervisor/);
    expect(commands(why([serviceIn('up')], { supervised: false }))[0]).toBe('sup start shop/web');
    expect(commands(why([serviceIn('up')], { sys: true }))).toEqual(['sup inspect shop/web --sys']);
  });
});

it('why is tested for each state', () => expect(Object.keys(NEXT)).toEqual(Object.keys(STATES)));
