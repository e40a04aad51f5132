import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../../../src/streams/domain/errors/error.ts';
import type {
  DownReason,
  Schedule,
  Service,
  ServiceState,
} from '../../../../src/streams/domain/service/service.ts';
import type { RolloutRecord } from '../../../../src/streams/domain/service/rollout.ts';
import { instant, ms, plus } from '../../../../src/streams/domain/time.ts';
import { becauseOf } from '../../../../src/streams/views/words/because-of.ts';
import { reasonOf } from '../../../../src/streams/views/words/reason.ts';
import { lookUpIn } from '../../../../src/streams/views/state-snapshot.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';
import { NOW, serviceIn, STATES, TAGS } from '../../../support/states.ts';
import { CHECK } from '../../../support/variants.ts';

const web = idOf('web');
const exited: ServiceError = { code: 'ERR0101', service: web, status: { tag: 'code', code: 1 } };
const unhealthy: ServiceError = { code: 'ERR0104', service: web, detail: 'GET / answered 500' };

const inState = (actual: ServiceState, changes: Partial<Service> = {}): Service => ({
  ...serviceIn('up'),
  actual,
  ...changes,
});
const down = (why: DownReason, changes: Partial<Service> = {}): Service =>
  inState({ tag: 'down', why }, changes);
const reason = (service: Service, others: readonly Service[] = []): string | null =>
  reasonOf(service, { now: NOW, byId: lookUpIn(others) });

const named = (name: string, actual: ServiceState): Service => ({ ...inState(actual), spec: specOf(name) });

const ENDED = {
  ...STATES.stopping,
  cause: { tag: 'exited', wasReady: true },
  exit: { tag: 'code', code: 3 },
} as const;

describe('the reason of a state', () => {
  it.each([
    ['a new one', down({ tag: 'new' }), 'not started yet'],
    ['a stopped one', down({ tag: 'asked' }), 'stopped on request'],
    [
      'a service that was stopped with the supervisor',
      down({ tag: 'asked' }, { resume: true, wanted: 'down' }),
      'stopped with the supervisor; comes back with the next one',
    ],
    [
      'a service that is not declared any more',
      down({ tag: 'asked' }, { leaving: true, resume: true, wanted: 'down' }),
      'stopped: it is not declared any more',
    ],
    ['a finished one-shot', down({ tag: 'completed' }), 'finished: exited with 0'],
    [
      'a finished one-shot with a listed exit status',
      down({ tag: 'completed' }, { lastExit: { status: { tag: 'code', code: 3, listed: true }, at: NOW } }),
      'finished: exited with 3, which success_exit_codes lists',
    ],
    [
      'a finished one-shot that left a process behind',
      down({ tag: 'completed', left: 1 }),
      'finished: exited with 0; a process that it left in the background was stopped',
    ],
    [
      'a finished one-shot that left several processes behind',
      down({ tag: 'completed', left: 3 }),
      'finished: exited with 0; 3 processes that it left in the background were stopped',
    ],
    [
      'a service that exited with 0',
      down({ tag: 'ended' }, { lastExit: { status: { tag: 'code', code: 0 }, at: NOW } }),
      'exited with 0; restart_policy is on-failure',
    ],
    ['a failed one', down({ tag: 'failed', error: exited }), 'exited with 1'],
    ['one skipped by its manifest', down({ tag: 'skipped', by: 'manifest' }), 'skip is true in the manifest'],
    ['one skipped by its command', down({ tag: 'skipped', by: 'command' }), 'its skip command succeeded'],
    ['one skipped with another', down({ tag: 'skipped', by: idOf('db') }), 'its dependency db is skipped'],
    [
      'a service in backoff',
      inState({ tag: 'backing-off', attempt: 3, until: plus(NOW, ms(1500)), error: exited }),
      'exited with 1; attempt 3 of 8 in 1.5 s',
    ],
    [
      'an open breaker',
      inState({ tag: 'broken', error: { code: 'ERR0110', service: web, attempts: 8, last: exited } }),
      'failed again after 8 automatic restarts: exited with 1',
    ],
    [
      'a casualty of one service',
      inState({ tag: 'casualty', of: [idOf('db')] }),
      'fell with db; rises when it is healthy again',
    ],
    [
      'a casualty of two services',
      inState({ tag: 'casualty', of: [idOf('db'), idOf('mq')] }),
      'fell with db, mq; rises when they are healthy again',
    ],
    [
      'a service that waits at the gate',
      inState({ tag: 'waiting', for: 'gate' }),
      'waits for its turn (start/max_concurrent)',
    ],
    ['one that runs as it should', inState(STATES.up), null],
    ['one that was restarted', inState(STATES.up, { attempts: 2 }), 'restarted: attempt 2 of 8'],
    [
      'a service whose probes fail',
      inState({ ...STATES.up, health: { health: 'healthy', failures: 2, error: unhealthy } }),
      'its health check reported unhealthy: GET / answered 500; failure 2 of 2',
    ],
    [
      'a service whose failed check is ignored',
      inState(
        { ...STATES.up, health: { health: 'unhealthy', failures: 9, error: unhealthy } },
        {
          spec: specOf('web', {
            deployment: { strategy: 'immediate', gracePeriod: ms(0), healthCheck: CHECK },
          }),
        },
      ),
      'its health check reported unhealthy: GET / answered 500; 9 failures in a row',
    ],
    [
      'a service in an automatic start',
      inState({ ...STATES.starting }, { attempts: 3, recovering: true }),
      'started; ready if still up after startup_stability_ms; attempt 3 of 8',
    ],
    [
      'a service that ignores its stop signal',
      inState({ ...STATES.stopping, phaseSince: plus(NOW, ms(-3000)) }),
      'stop requested; SIGTERM sent to pid 300, SIGKILL in 7 s',
    ],
    [
      'a service that ended by itself, whose remaining processes are not known yet',
      inState({ ...ENDED, asked: [] }),
      'exited with 3; checking for remaining processes',
    ],
    [
      'a service without processes, whose children still end',
      inState({ ...ENDED, asked: [], survivors: [] }),
      'exited with 3; all its processes are gone',
    ],
    [
      'a service that cannot be killed',
      inState({ ...STATES.stopping, phase: 'unverified', cause: { tag: 'felled', of: [idOf('db')] } }),
      'fell with db; alive after SIGKILL: pid 300 (ERR0112)',
    ],
  ])('the reason of %s', (_, service, text) => {
    expect(reason(service)).toBe(text);
  });

  it('the reason of a waiting service names missing dependencies and their states', () => {
    const waiting: Service = {
      ...inState(STATES.waiting),
      spec: specOf('web', {
        dependsOn: [...needs('db', 'cache', 'gone'), { service: idOf('migrate'), condition: 'completed' }],
      }),
    };
    const others = [named('db', STATES.starting), named('cache', STATES.up), named('migrate', STATES.up)];
    expect(reason(waiting, others)).toBe(
      'waits for db (starting), gone (unknown), migrate to complete (running)',
    );
    expect(becauseOf(waiting, lookUpIn(others))).toEqual([idOf('db'), idOf('gone'), idOf('migrate')]);
  });

  it('the reason of a waiting service names dependencies of its newest declaration, for which it waits', () => {
    const waiting: Service = {
      ...inState(STATES.waiting),
      spec: specOf('web', { dependsOn: needs('db') }),
      revised: specOf('web', { dependsOn: needs('cache') }),
    };
    const others = [named('db', STATES.starting), named('cache', STATES.starting)];
    expect(reason(waiting, others)).toBe('waits for cache (starting)');
    expect(becauseOf(waiting, lookUpIn(others))).toEqual([idOf('cache')]);
  });

  it('the reason of a service with an older declaration names the command that applies the change', () => {
    const changed: Service = { ...inState(STATES.up), revised: specOf('web', { digest: 'newer' }) };
    expect(reason(changed)).toBe('changed since it started; sup apply shop/web applies it');
  });

  it('the reason of a scheduled service has its next and its last run', () => {
    const schedule = {
      due: plus(NOW, ms(12_000)),
      runs: [{ due: instant(0), result: 'failure' as const }],
    };
    const spec = specOf('web', { kind: 'cron' });
    expect(reason(inState(STATES.scheduled, { spec, schedule }))).toBe('next run in 12 s; last run: failure');
    expect(reason(inState(STATES.scheduled))).toBe('its schedule has no next run');
  });

  it.each([
    [[{ due: 0, result: 'success', by: 'delayed', startedAt: 12_000 }], 'last run: success (delayed 12 s)'],
    [
      [{ due: 0, result: 'success', by: 'queued', startedAt: 61_000 }],
      'last run: success (queued 1 min 1 s)',
    ],
    [
      [{ due: 0, result: 'success', by: 'caught-up', startedAt: 61_000 }],
      'last run: success (caught up the run of 1970-01-01T00:00:00Z)',
    ],
    [
      [
        { due: 0, result: 'success' },
        { due: 60_000, result: 'overlap' },
      ],
      'last run: success; skipped at 1970-01-01T00:01:00Z because the run of 1970-01-01T00:00:00Z was still running',
    ],
  ])('the reason of a scheduled service says what happened to its scheduled times: %#', (runs, told) => {
    const spec = specOf('web', { kind: 'cron' });
    const schedule = { runs: runs as unknown as Schedule['runs'] };
    expect(reason(inState(STATES.scheduled, { spec, schedule }))).toBe(
      `its schedule has no next run; ${told}`,
    );
  });

  it('the reason of a run names the queued time that waits for its end', () => {
    const schedule: Schedule = { runs: [], rung: instant(60_000), rungBy: 'queued' };
    expect(reason(inState(STATES.up, { schedule }))).toBe(
      'queued at 1970-01-01T00:01:00Z: begins when this run has ended',
    );
  });

  it.each([
    ['runs', STATES.up, 'last run failed: exited with 1'],
    [
      'starts',
      STATES.starting,
      'started; ready if still up after startup_stability_ms; last run failed: exited with 1',
    ],
    [
      'was stopped',
      { tag: 'down', why: { tag: 'asked' } },
      'stopped on request; last run failed: exited with 1',
    ],
  ] as const)('the reason of a scheduled service that %s includes a failed last run', (_, actual, text) => {
    const failed = { due: instant(0), result: 'failure', error: exited } as const;
    const running = { due: instant(1), result: 'running' } as const;
    const spec = specOf('web', { kind: 'cron' });
    expect(reason(inState(actual, { spec, schedule: { runs: [failed, running] } }))).toBe(text);
    const well = { due: instant(0), result: 'success' } as const;
    expect(reason(inState(actual, { spec, schedule: { runs: [failed, well, running] } })) ?? '').not.toMatch(
      'last run',
    );
  });

  it.each(TAGS.filter((tag) => tag !== 'up'))(
    'the reason is never missing for a service that is %s',
    (tag) => {
      expect(reason(serviceIn(tag))).toMatch(/\w/);
    },
  );
});

describe('the reason of a run over max_memory', () => {
  const overweight = { since: NOW, bytes: 700 * 2 ** 20 };
  const spec = specOf('web', { maxMemory: 512 * 2 ** 20, maxMemoryFor: ms(30_000), maxRestarts: 2 });
  const heavy = (changes: Partial<Service>): string | null =>
    reason(inState({ ...STATES.up, overweight }, { spec, ...changes }));
  const failed: RolloutRecord = {
    strategy: 'rolling',
    outcome: 'failed',
    stages: [{ step: 'starting', at: NOW }],
    ended: NOW,
    old: STATES.up.run,
  };

  it('the reason of a run over max_memory says when it is replaced, or that it is not replaced any more because its candidates failed', () => {
    expect(heavy({ attempts: 2 })).toBe('over max_memory: uses 700 MiB of 512 MiB; restarts in 30 s');
    expect(heavy({ attempts: 2, rollouts: [failed] })).toBe(
      'over max_memory: uses 700 MiB of 512 MiB; not replaced any more, because 2 of 2 attempts failed: sup restart shop/web',
    );
  });
});

describe('the cause of a state', () => {
  it.each([
    [inState(STATES.casualty), ['shop/db']],
    [inState({ ...STATES.stopping, cause: { tag: 'felled', of: [idOf('db')] } }), ['shop/db']],
    [down({ tag: 'skipped', by: idOf('db') }), ['shop/db']],
    [down({ tag: 'skipped', by: 'command' }), []],
    [down({ tag: 'failed', error: { code: 'ERR0109', service: web, dependency: idOf('db') } }), ['shop/db']],
    [inState(STATES.up), []],
  ])('the cause of each state is named', (service, ids) => {
    expect(becauseOf(service, () => undefined)).toEqual(ids);
  });
});
