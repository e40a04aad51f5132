import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { ms, seconds } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const stack = (): Kernel => {
  const sup = kernel();
  sup.start(
    specOf('web', { dependsOn: needs('cache') }),
    specOf('cache', { dependsOn: needs('db') }),
    specOf('db'),
  );
  return sup;
};

describe('the start order of dependencies', () => {
  it('services start bottom-up, each as soon as its dependencies are ready', () => {
    const sup = stack();
    expect(sup.tags('db', 'cache', 'web')).toEqual(['spawning', 'waiting', 'waiting']);
    sup.up('db');
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'spawning', 'waiting']);
    sup.up('cache');
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });
});

describe('a start without a dependency that is not required', () => {
  it('the history of a service names the dependency without which it was started', () => {
    const sup = kernel();
    sup.start(
      specOf('web', { dependsOn: needs('cache').map((need) => ({ ...need, required: false })) }),
      specOf('cache', { maxRestarts: 0 }),
    );
    sup.spawned('cache');
    sup.exit('cache', 1);
    expect(sup.tag('web')).toBe('spawning');
    expect(sup.service('web').history.at(-1)).toMatchObject({
      cause: 'admit',
      facts: { without: [idOf('cache')] },
    });
  });

  it('the history of a service names no dependency that is ready', () => {
    const sup = stack();
    sup.up('db');
    expect(sup.service('cache').history.find(({ cause }) => cause === 'admit')).not.toHaveProperty('facts');
  });
});

describe('the start gate', () => {
  it('the gate admits max_concurrent starts, and the next when one is ready or failed', () => {
    const sup = kernel({ maxConcurrent: 2 });
    sup.start(specOf('a'), specOf('b'), specOf('c'), specOf('d'));
    expect(sup.tags('a', 'b', 'c', 'd')).toEqual(['spawning', 'spawning', 'waiting', 'waiting']);
    sup.up('a');
    expect(sup.tags('c', 'd')).toEqual(['spawning', 'waiting']);
    sup.spawned('b');
    sup.exit('b', 1);
    expect(sup.tags('b', 'd')).toEqual(['backing-off', 'spawning']);
  });

  it('the gate never starts a service that was stopped in the queue', () => {
    const sup = kernel({ maxConcurrent: 1 });
    sup.start(specOf('a'), specOf('b'), specOf('c'));
    sup.ask({ type: 'stop', selection: { services: ['b'] } });
    sup.up('a');
    expect(sup.tags('a', 'b', 'c')).toEqual(['up', 'down', 'spawning']);
  });

  it('the gate requeues a service that is restarted while starting', () => {
    const [a, b] = [specOf('a'), specOf('b')];
    const sup = kernel({ maxConcurrent: 1 });
    sup.start(a, b);
    sup.spawned('a');
    sup.load(sup.ask({ type: 'restart', selection: { services: ['a'] } }), manifestOf(a, b));
    expect(sup.tags('a', 'b')).toEqual(['stopping', 'spawning']);
    sup.exit('a', 143);
    expect(sup.tags('a', 'b')).toEqual(['waiting', 'spawning']);
    sup.up('b');
    expect(sup.tags('a', 'b')).toEqual(['spawning', 'up']);
  });

  it('the gate frees the slot of a starting run that its candidate replaces', () => {
    const web = specOf('web', { deployment: { strategy: 'rolling', gracePeriod: ms(0) } });
    const sup = kernel({ maxConcurrent: 1 });
    sup.start(web);
    sup.up('web');
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(web));
    const candidate = { service: idOf('web'), run: runId(sup.service('web').rollout?.other.runs ?? 0) };
    sup.post({ ...candidate, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.exit('web', 1);
    sup.start(web, specOf('a'));
    expect(sup.tags('web', 'a')).toEqual(['spawning', 'waiting']);
    sup.post({ ...candidate, type: 'elapsed', timer: 'stability' });
    expect(sup.tags('web', 'a')).toEqual(['up', 'spawning']);
    expect(sup.service('web').rollout?.other).not.toHaveProperty('gate');
  });
});

describe('a casualty during a rollout that is wanted again', () => {
  const blueGreen = { envVar: 'SLOT', slots: ['1', '2'], switchCommand: 'true' } as const;
  const deployment = { strategy: 'rolling', gracePeriod: seconds(60), blueGreen } as const;
  const web = (digest: string): ServiceSpec => specOf('web', { digest, deployment, dependsOn: needs('db') });

  it('a casualty during a rollout waits until the switch is taken back, then starts by its latest declaration', () => {
    const sup = kernel();
    const db = specOf('db');
    sup.start(web('old'), db);
    sup.up('db', 'web');
    sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(web('new'), db));
    const of = { service: idOf('web'), run: runId(2) };
    const switched = (): void => {
      const outcome = { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] } as const;
      sup.post({ ...of, type: 'command-ended', purpose: 'switch', outcome });
    };
    sup.post({ ...of, type: 'spawned', process: { pid: 2_000, startTicks: 2 } });
    sup.post({ ...of, type: 'elapsed', timer: 'stability' });
    switched();
    sup.exit('db', 1);
    sup.exit('web', 143);
    sup.post({ service: idOf('db'), run: runId(1), type: 'elapsed', timer: 'backoff' });
    sup.up('db');
    expect(sup.service('web')).toMatchObject({ runs: 1, actual: { tag: 'waiting' } });
    switched();
    sup.post({ ...of, type: 'exited', status: { tag: 'code', code: 143 } });
    sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
    expect(sup.service('web')).toMatchObject({ runs: 3, spec: { digest: 'new' } });
    sup.up('web');
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });
});
