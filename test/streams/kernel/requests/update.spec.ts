import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { HealthCheck } from '../../../../src/streams/domain/declared/health-check.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { ms, seconds } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

type Changes = Partial<ServiceSpec>;

const ask = (sup: Kernel, type: 'apply' | 'plan' | 'restart' | 'start', ...specs: readonly ServiceSpec[]) =>
  sup.load(sup.ask({ type, selection: {} }), manifestOf(...specs));

const running = (changes: Changes = {}): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', changes));
  sup.up('web');
  sup.drain();
  return sup;
};

const check: HealthCheck = {
  probe: { tag: 'http', url: 'http://127.0.0.1:80/' },
  interval: seconds(10),
  startInterval: seconds(1),
  attemptTimeout: seconds(1),
  totalTimeout: seconds(30),
  retries: 3,
};
const checkedBy = (url: string): Changes => ({
  deployment: {
    strategy: 'immediate',
    gracePeriod: ms(0),
    healthCheck: { ...check, probe: { tag: 'http', url } },
  },
});
const probed = (sup: Kernel, passed: boolean): void =>
  sup.post({
    ...{ type: 'probed', service: idOf('web'), run: runId(sup.service('web').runs) },
    result: passed ? { tag: 'passed' } : { tag: 'unhealthy', detail: 'status 500' },
  });

const LIVE: readonly (readonly [string, Changes])[] = [
  ['stop_timeout', { stopTimeout: seconds(20) }],
  ['max_restarts', { maxRestarts: 1 }],
  ['restart_policy', { restartPolicy: 'always' }],
  ['reload', { reload: { tag: 'signal', signal: 'SIGHUP' } }],
  ['hooks', { hooks: { onstart: { command: 'true' } } }],
  ['logs.max_bytes', { logs: { sink: 'file', maxBytes: 1000 } }],
  ['deployment.strategy', { deployment: { strategy: 'rolling', gracePeriod: ms(0) } }],
];

describe('an apply of supervision keys', () => {
  it.each(LIVE)('an apply makes the present run use %s', (key, changes) => {
    const sup = running();
    const newer = specOf('web', changes);
    ask(sup, 'apply', newer);
    expect(sup.service('web')).toMatchObject({ spec: newer, actual: { tag: 'up', run: 1 }, awaitedBy: [] });
    expect(sup.service('web')).not.toHaveProperty('revised');
    expect(sup.replies()).toEqual([
      {
        ok: true,
        done: { outcomes: [{ service: idOf('web'), what: 'updated', keys: [key] }], warnings: [] },
      },
    ]);
    expect(sup.drain()).toContainEqual({
      ...{ type: 'note', level: 'info', service: idOf('web') },
      text: `took up without a restart: ${key}`,
    });
  });

  it.each<readonly [string, Changes]>([
    ['command', { launch: { tag: 'shell', command: 'true' } }],
    ['env', { env: { vars: { A: '1' }, inherit: false, clearSession: true, strip: [] } }],
    ['working_dir', { workingDir: '/' }],
    ['limits', { privilege: { supplementaryGroups: [], limits: { nofile: 10 } } }],
    ['logs.sink', { logs: { sink: 'none' } }],
    ['skip', { skip: 'false' }],
    ['cron', { kind: 'cron', cron: { expression: '0 0 * * *', timezone: 'utc' } }],
  ])('an apply of supervision keys starts a new run if %s changes with them', (_, changes) => {
    const sup = running();
    ask(sup, 'apply', specOf('web', { stopTimeout: seconds(20), ...changes }));
    expect(sup.tag('web')).toBe('stopping');
  });

  it('a restart with changed supervision keys still starts a new run', () => {
    const sup = running();
    ask(sup, 'restart', specOf('web', { stopTimeout: seconds(20) }));
    expect(sup.tag('web')).toBe('stopping');
  });

  it('a start leaves changed supervision keys for the next apply', () => {
    const sup = running();
    const newer = specOf('web', { stopTimeout: seconds(20) });
    ask(sup, 'start', newer);
    expect(sup.service('web')).toMatchObject({ spec: specOf('web'), revised: newer });
    ask(sup, 'apply', newer);
    expect(sup.service('web')).toMatchObject({ spec: newer, runs: 1 });
  });

  it('an apply of supervision keys starts a new run of a failed service', () => {
    const sup = running({ maxRestarts: 0 });
    sup.exit('web', 1);
    expect(sup.tag('web')).toBe('broken');
    ask(sup, 'apply', specOf('web', { maxRestarts: 1 }));
    expect(sup.tag('web')).toBe('spawning');
  });

  it('an apply of changed dependencies takes effect for the present run', () => {
    const sup = running();
    const cache = specOf('cache', { restartPolicy: 'never' });
    ask(sup, 'apply', specOf('web', { dependsOn: needs('cache') }), cache);
    sup.up('cache');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1 });
    sup.exit('cache', 1);
    expect(sup.tag('web')).toBe('stopping');
  });
});

describe('a plan of supervision keys', () => {
  const planned = (sup: Kernel): unknown => {
    const [reply] = sup.replies();
    return reply?.ok === true ? reply.done.plan?.changes : undefined;
  };

  it('a plan of supervision keys says that the run continues', () => {
    const sup = running();
    ask(sup, 'plan', specOf('web', { stopTimeout: seconds(20) }));
    expect(planned(sup)).toEqual([
      {
        ...{ service: idOf('web'), action: 'change', strategy: 'immediate', down: 0, rest: 'live' },
        keys: [{ key: 'stop_timeout', from: '10s', to: '20s' }],
      },
    ]);
    expect(sup.service('web').spec.stopTimeout).toBe(10_000);
  });

  it('a plan marks the keys that need a new run', () => {
    const sup = running();
    ask(sup, 'plan', specOf('web', { stopTimeout: seconds(20), workingDir: '/srv' }));
    expect(planned(sup)).toMatchObject([
      {
        keys: [
          { key: 'working_dir', from: '/shop', to: '/srv', newRun: true },
          { key: 'stop_timeout', from: '10s', to: '20s' },
        ],
      },
    ]);
  });
});

describe('a finished one-shot', () => {
  const job = (changes: Changes = {}): ServiceSpec => specOf('web', { restartPolicy: 'never', ...changes });
  const done = (): Kernel => {
    const sup = kernel();
    sup.start(job());
    sup.up('web');
    sup.exit('web', 0);
    expect(sup.tag('web')).toBe('down');
    return sup;
  };

  it.each(['apply', 'start'] as const)(
    'a finished one-shot is not run again by %s for a supervision key',
    (type) => {
      const sup = done();
      ask(sup, type, job({ stopTimeout: seconds(20) }));
      expect(sup.service('web')).toMatchObject({ actual: { tag: 'down' }, runs: 1 });
    },
  );

  it.each(['apply', 'start'] as const)('a finished one-shot is run again by %s for a process key', (type) => {
    const sup = done();
    ask(sup, type, job({ workingDir: '/srv' }));
    expect(sup.tag('web')).toBe('spawning');
  });
});

describe('a changed health check', () => {
  const healthy = (): Kernel => {
    const sup = kernel();
    sup.start(specOf('web', checkedBy('http://127.0.0.1:80/')));
    sup.spawned('web');
    probed(sup, true);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up', health: { health: 'healthy' } } });
    return sup;
  };

  it('a changed health check starts without results', () => {
    const sup = healthy();
    ask(sup, 'apply', specOf('web', checkedBy('http://127.0.0.1:81/')));
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up', health: { health: 'unknown' } } });
  });

  it('a declaration with a changed health check counts as good only after it has passed', () => {
    const sup = healthy();
    const [good, bad] = [sup.service('web').spec, specOf('web', checkedBy('http://127.0.0.1:81/'))];
    ask(sup, 'apply', bad);
    probed(sup, false);
    expect(sup.service('web')).toMatchObject({ spec: bad, previous: good, proven: good.digest });
    probed(sup, true);
    expect(sup.service('web')).toMatchObject({ proven: bad.digest });
  });
});

describe('a rollback of supervision keys', () => {
  const rollback: Command = { type: 'rollback', selection: { services: ['web'] } };
  const newer = specOf('web', { stopTimeout: seconds(20) });

  it('a rollback of supervision keys makes the present run use the previous declaration', () => {
    const sup = running();
    ask(sup, 'apply', newer);
    sup.drain();
    sup.ask(rollback);
    expect(sup.service('web')).toMatchObject({
      ...{ spec: specOf('web'), actual: { tag: 'up' }, runs: 1 },
      ...{ rejected: newer.digest, rolledBack: specOf('web').digest },
    });
    expect(sup.replies()).toMatchObject([
      { ok: true, done: { outcomes: [{ what: 'updated', keys: ['stop_timeout'] }] } },
    ]);
  });

  it('a rollback of supervision keys is undone by the next apply', () => {
    const sup = running();
    ask(sup, 'apply', newer);
    sup.ask(rollback);
    ask(sup, 'apply', newer);
    expect(sup.service('web')).toMatchObject({ spec: newer, runs: 1 });
    expect(sup.service('web')).not.toHaveProperty('rejected');
    expect(sup.service('web')).not.toHaveProperty('rolledBack');
  });
});
