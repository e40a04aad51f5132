import { describe, expect, it } from 'vitest';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
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

describe('a failed dependency', () => {
  it('a failed dependency stops all dependents, which recover bottom-up without using up their restarts', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.exit('db', 1);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['backing-off', 'stopping', 'stopping']);
    sup.exit('cache', 143);
    sup.exit('web', 143);
    expect(sup.service('web').actual).toEqual({ tag: 'casualty', of: [idOf('db')] });
    sup.post({
      type: 'elapsed',
      service: idOf('db'),
      run: sup.service('db').runs as never,
      timer: 'backoff',
    });
    sup.up('db');
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'spawning', 'waiting']);
    sup.up('cache', 'web');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, attempts: 0 });
  });

  it('a casualty of two dependencies is skipped with the skipped one, whatever the other does', () => {
    const sup = kernel();
    const db = specOf('db', { skip: 'true' });
    sup.start(specOf('web', { dependsOn: needs('cache', 'db') }), specOf('cache'), db);
    const asked = (code: number): void =>
      sup.post({
        ...{ type: 'command-ended', purpose: 'skip', service: idOf('db') },
        run: runId(sup.service('db').runs),
        outcome: { tag: 'ended', status: { tag: 'code', code }, evidence: [] },
      });
    asked(1);
    sup.up('cache', 'db', 'web');
    sup.exit('cache', 1);
    sup.exit('db', 1);
    sup.exit('web', 143);
    expect(sup.service('web').actual).toEqual({ tag: 'casualty', of: [idOf('cache'), idOf('db')] });
    sup.post({ type: 'elapsed', service: idOf('db'), run: runId(sup.service('db').runs), timer: 'backoff' });
    asked(0);
    expect(sup.tags('cache', 'db')).toEqual(['backing-off', 'down']);
    expect(sup.service('web').actual).toEqual({ tag: 'down', why: { tag: 'skipped', by: idOf('db') } });
  });

  it('a failed dependency stops a dependent that is being spawned once it has started, at any distance', () => {
    const sup = stack();
    sup.up('db', 'cache');
    expect(sup.tag('web')).toBe('spawning');
    sup.exit('db', 1);
    expect(sup.tags('cache', 'web')).toEqual(['stopping', 'spawning']);
    sup.spawned('web');
    expect(sup.service('web').actual).toMatchObject({
      tag: 'stopping',
      cause: { tag: 'felled', of: [idOf('db')] },
    });
  });

  it('a recovered dependency does not stop a dependent that has started', () => {
    const sup = stack();
    sup.up('db', 'cache');
    sup.exit('db', 1);
    sup.post({
      type: 'elapsed',
      service: idOf('db'),
      run: sup.service('db').runs as never,
      timer: 'backoff',
    });
    sup.up('db');
    sup.spawned('web');
    expect(sup.tag('web')).toBe('starting');
  });
});

describe('a dependency that a newer declaration drops', () => {
  const db = specOf('db', { restartPolicy: 'never' });
  const app = specOf('app', { dependsOn: needs('web') });
  const running = (changes: Partial<ServiceSpec> = {}): Kernel => {
    const sup = kernel();
    sup.start(specOf('web', { dependsOn: needs('db'), ...changes }), db, app);
    sup.up('db', 'web', 'app');
    const selection = { services: ['db'] };
    sup.load(sup.ask({ type: 'start', selection }), manifestOf(specOf('web', changes), db, app));
    return sup;
  };

  it('a dropped dependency stops runs of the old declaration and their dependents; both recover without it', () => {
    const sup = running();
    expect(sup.service('web').revised).toMatchObject({ dependsOn: [] });
    sup.exit('db', 1);
    expect(sup.tags('web', 'app')).toEqual(['stopping', 'stopping']);
    sup.exit('app', 143);
    sup.exit('web', 143);
    expect(sup.tags('web', 'app')).toEqual(['spawning', 'waiting']);
    sup.up('web', 'app');
    expect(sup.service('web').spec.dependsOn).toEqual([]);
  });

  it('a dropped dependency does not stop a run that started since', () => {
    const sup = running({ restartPolicy: 'always' });
    sup.exit('web', 0);
    sup.post({ service: idOf('web'), run: runId(1), type: 'elapsed', timer: 'backoff' });
    sup.up('web');
    sup.exit('db', 1);
    expect(sup.tag('web')).toBe('up');
  });
});

describe('a dependency that a newer declaration adds', () => {
  const deployment = { strategy: 'rolling', gracePeriod: ms(0) } as const;
  const cache = specOf('cache', { restartPolicy: 'never' });
  const app = specOf('app', { dependsOn: needs('web') });
  const newer = { directory: '/newer', dependsOn: needs('cache') };
  const load = (sup: Kernel, type: 'apply' | 'start', ...specs: readonly ServiceSpec[]): void => {
    const services = type === 'start' ? { services: ['cache'] } : {};
    sup.load(sup.ask({ type, selection: services }), manifestOf(...specs));
  };
  const running = (changes: Partial<ServiceSpec>): Kernel => {
    const sup = kernel();
    sup.start(specOf('web', changes), app);
    sup.up('web', 'app');
    return sup;
  };
  const candidateOf = (sup: Kernel): string | undefined => sup.service('web').rollout?.other.actual.tag;

  it('an added dependency that fails stops the candidate, but neither the old run nor its dependents', () => {
    const sup = running({ deployment });
    load(sup, 'apply', specOf('web', { ...newer, deployment }), cache, app);
    sup.up('cache');
    expect(candidateOf(sup)).toBe('spawning');
    sup.exit('cache', 1);
    expect(sup.tags('web', 'app')).toEqual(['up', 'up']);
    const of = { service: idOf('web'), run: runId(sup.service('web').rollout?.other.runs ?? 0) };
    sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.post({ ...of, type: 'exited', status: { tag: 'signal', signal: 'SIGTERM' } });
    sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1 });
    expect(sup.service('web').rollouts).toMatchObject([{ outcome: 'called-off' }]);
  });

  it('an added dependency that fails does not stop a run of the old declaration', () => {
    const sup = running({});
    load(sup, 'start', specOf('web', { dependsOn: needs('cache') }), cache, app);
    sup.up('cache');
    sup.exit('cache', 1);
    expect(sup.tags('web', 'app')).toEqual(['up', 'up']);
  });

  it('an added dependency that fails stops a run of the new declaration', () => {
    const sup = running({});
    load(sup, 'apply', specOf('web', newer), cache, app);
    sup.up('cache');
    sup.exit('web', 143);
    sup.up('web');
    sup.exit('cache', 1);
    expect(sup.tags('web', 'app')).toEqual(['stopping', 'stopping']);
  });
});
