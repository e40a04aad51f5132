import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../src/streams/domain/effect.ts';
import { requestId, runId } from '../../../../src/streams/domain/ids.ts';
import { withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { signalRequest } from '../../../../src/streams/kernel/requests/request.ts';
import { NOW, serviceIn, STATES } from '../../../support/states.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
  sup.up('db', 'web');
  sup.drain();
  return sup;
};
const signal = (sup: Kernel, name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void =>
  sup.post({ type: 'signalled', signal: name });
const types = (effects: readonly Effect[]): readonly string[] => effects.map(({ type }) => type);

describe('a forget', () => {
  it('a forget stops the services of the manifest in order and removes them with it', () => {
    const sup = running();
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.state()).toMatchObject({ manifests: {}, projects: {}, graph: {}, serviceTable: { size: 0 } });
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('a forget is not undone by a start of everything, which does not wait for it', () => {
    const sup = running();
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    const start = requestId(sup.ask({ type: 'start', selection: {} }));
    sup.post({ type: 'manifests-loaded', request: start, loads: [] });
    expect(sup.service('web')).toMatchObject({ wanted: 'down', leaving: true });
    expect(sup.replies()).toMatchObject([{ ok: true }]);
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.state()).toMatchObject({ manifests: {}, serviceTable: { size: 0 } });
    expect(sup.replies()).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it.each(['start', 'restart', 'apply'] as const)(
    'a %s that names a service during its removal is refused',
    (type) => {
      const sup = running();
      sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
      const request = requestId(sup.ask({ type, selection: { services: ['web'] } }));
      sup.post({ type: 'manifests-loaded', request, loads: [] });
      expect(sup.replies()).toMatchObject([
        { ok: false, error: { code: 'ERR0202', name: 'web', known: [] } },
      ]);
      expect(sup.service('web')).toMatchObject({ wanted: 'down', leaving: true });
    },
  );

  it('a forget cancels the start of the services it removes', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    sup.spawned('web');
    sup.exit('web', 143);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0117', service: idOf('web') } },
      { ok: true },
    ]);
  });

  it('a forget of an unregistered manifest is refused', () => {
    const sup = running();
    sup.ask({ type: 'forget', manifest: '/other.yaml' });
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0202', name: '/other.yaml', known: ['/shop/sup.yaml'] } },
    ]);
  });
});

it('each SIGHUP is a separate apply', () => {
  const sup = running();
  signal(sup, 'SIGHUP');
  signal(sup, 'SIGHUP');
  expect(Object.keys(sup.state().requests)).toEqual(['signal:SIGHUP', 'signal:SIGHUP:2']);
});

it('many SIGHUPs are numbered in order', () => {
  const ids = Array.from(
    { length: 20_000 },
    (_, index) => `signal:SIGHUP${index === 0 ? '' : `:${index + 1}`}`,
  );
  const unanswered = Object.fromEntries(ids.map((id) => [id, id]));
  expect(signalRequest('SIGHUP', unanswered)).toBe('signal:SIGHUP:20001');
});

it('the second SIGHUP completes what the first has begun', () => {
  const specs = (release: string): readonly ServiceSpec[] =>
    ['a', 'b', 'c'].map((name) => specOf(name, { launch: { tag: 'exec', argv: ['/bin/sleep', release] } }));
  const sup = kernel();
  sup.start(...specs('1'));
  sup.up('a', 'b', 'c');
  signal(sup, 'SIGHUP');
  sup.load('signal:SIGHUP', manifestOf(...specs('2')));
  signal(sup, 'SIGHUP');
  sup.load('signal:SIGHUP:2', manifestOf(...specs('2')));
  for (const name of ['a', 'b', 'c']) {
    sup.exit(name, 143);
    sup.up(name);
  }
  expect(['a', 'b', 'c'].map((name) => sup.service(name).spec.launch)).toEqual(
    specs('2').map(({ launch }) => launch),
  );
  expect(sup.state().requests).toEqual({});
});

describe('the end of the supervisor', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'an end by %s keeps services wanted for the next supervisor',
    (name) => {
      const sup = running();
      signal(sup, name);
      sup.exit('web', 143);
      sup.exit('db', 143);
      expect(sup.service('web')).toMatchObject({ resume: true, actual: { tag: 'down' } });
      expect(types(sup.drain()).at(-1)).toBe('quit');
    },
  );

  it('an end by shutdown leaves nothing to start', () => {
    const sup = running();
    sup.ask({ type: 'shutdown' });
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.service('web').resume).toBe(false);
    expect(types(sup.drain()).slice(-2)).toEqual(['reply', 'quit']);
  });

  it('an end that is requested twice happens once', () => {
    const sup = running();
    signal(sup, 'SIGTERM');
    signal(sup, 'SIGTERM');
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(types(sup.drain()).filter((type) => type === 'quit')).toHaveLength(1);
  });

  it('an end happens once, although a service that could not be verified as ended changes later', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.up('web');
    sup.ask({ type: 'shutdown' });
    const news = { service: idOf('web'), run: runId(1) };
    const alive = [{ pid: 7, startTicks: 7 }];
    sup.post({ ...news, type: 'surveyed', alive, evidence: [] });
    sup.post({ ...news, type: 'elapsed', timer: 'stop-timeout' });
    sup.drain();
    sup.post({ ...news, type: 'elapsed', timer: 'stop-verify' });
    expect(types(sup.drain()).slice(-2)).toEqual(['reply', 'quit']);
    sup.post({ ...news, type: 'surveyed', alive: [{ pid: 8, startTicks: 8 }], evidence: [] });
    sup.ask({ type: 'shutdown' });
    sup.exit('web', 137);
    expect(types(sup.drain())).not.toContain('quit');
  });

  it('an end keeps the exit status of an earlier failure', () => {
    const sup = kernel();
    sup.start(specOf('web', { restartPolicy: 'never' }));
    sup.spawned('web');
    sup.exit('web', 1);
    signal(sup, 'SIGTERM');
    expect(sup.service('web')).toMatchObject({ resume: false, actual: { why: { tag: 'failed' } } });
  });
});

describe('the end of the supervisor with a service in backoff', () => {
  const RUNS = runId(4);
  /** A service in backoff whose rollout has started a candidate. */
  const rolling = (): Kernel => {
    const { rollout, ...service } = withRollout(serviceIn('backing-off'), NOW, false);
    if (rollout === undefined) throw new Error('no rollout');
    const other = { ...rollout.other, runs: RUNS, actual: { ...STATES.starting, run: RUNS } };
    const sup = kernel();
    sup.post({
      ...{ type: 'booted', settings: DEFAULT_SETTINGS, registered: [], found: [], warnings: [] },
      ...{ restored: [{ ...service, rollout: { ...rollout, other } }], sameBoot: true, continued: true },
    });
    sup.drain();
    return sup;
  };

  it('an end waits until a candidate is withdrawn, and the backoff continues with the next supervisor', () => {
    const sup = rolling();
    signal(sup, 'SIGTERM');
    expect(types(sup.drain())).not.toContain('quit');
    expect(sup.service('web').rollout?.other).toMatchObject({ wanted: 'down', actual: { tag: 'stopping' } });
    const news = { service: idOf('web'), run: RUNS } as const;
    sup.post({ ...news, type: 'exited', status: { tag: 'code', code: 143 } });
    sup.post({ ...news, type: 'surveyed', alive: [], evidence: [] });
    expect(types(sup.drain())).toContain('quit');
    expect(sup.service('web')).toMatchObject({ resume: true, actual: { tag: 'backing-off' } });
  });
});

describe('a stop of a service before its turn in a restart', () => {
  const restarting = (...names: readonly string[]): Kernel => {
    const specs = names.map((name) => specOf(name));
    const sup = kernel();
    sup.start(...specs);
    sup.up(...names);
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(...specs));
    sup.drain();
    return sup;
  };
  const failuresOf = (sup: Kernel): unknown => {
    const [last] = sup.replies().slice(-1);
    return last?.ok === false && last.error.code === 'ERR0302' ? last.error.failures : [];
  };
  const calledOff = (name: string): unknown => ({ code: 'ERR0117', service: idOf(name) });

  it('a service stopped before its turn stays down, and the restart continues with the others', () => {
    const sup = restarting('a', 'b', 'c');
    sup.ask({ type: 'stop', selection: { services: ['b'] } });
    sup.exit('b', 143);
    expect(sup.replies()).toMatchObject([{ ok: true }]);
    sup.exit('a', 143);
    sup.up('a');
    expect(sup.tags('a', 'b', 'c')).toEqual(['up', 'down', 'stopping']);
    sup.exit('c', 143);
    sup.up('c');
    expect(failuresOf(sup)).toEqual([calledOff('b')]);
    expect(sup.service('b').wanted).toBe('down');
  });

  it('a stop of everything before its turn keeps each service down, and the restart names all of them', () => {
    const sup = restarting('a', 'b');
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('b', 143);
    sup.exit('a', 143);
    expect(sup.tags('a', 'b')).toEqual(['down', 'down']);
    expect(sup.replies().filter(({ ok }) => ok)).toHaveLength(1);
    const [restart] = sup.replies().filter(({ ok }) => !ok);
    expect(restart).toMatchObject({ error: { failures: [calledOff('b'), calledOff('a')] } });
  });

  it('a service before its turn is removed with its manifest', () => {
    const sup = restarting('a', 'b');
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    sup.exit('b', 143);
    sup.exit('a', 143);
    expect(sup.state()).toMatchObject({ manifests: {}, serviceTable: { size: 0 }, requests: {} });
    expect(sup.replies().filter(({ ok }) => ok)).toHaveLength(1);
    const [restart] = sup.replies().filter(({ ok }) => !ok);
    expect(restart).toMatchObject({ error: { failures: [calledOff('b'), calledOff('a')] } });
  });

  it('a service before its turn is removed when a newer command finds it undeclared', () => {
    const sup = restarting('a', 'b');
    sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(specOf('a')));
    sup.exit('a', 143);
    sup.up('a');
    expect(failuresOf(sup)).toEqual([calledOff('b')]);
    sup.exit('b', 143);
    expect(sup.state().serviceTable.size).toBe(1);
  });

  it.each(['command', 'signal'] as const)(
    'a service before its turn ends with a supervisor that a %s shuts down',
    (by) => {
      const sup = restarting('a', 'b');
      if (by === 'signal') signal(sup, 'SIGTERM');
      else sup.ask({ type: 'shutdown' });
      sup.exit('b', 143);
      sup.exit('a', 143);
      expect(sup.service('b')).toMatchObject({ wanted: 'down', resume: by === 'signal' });
      expect(types(sup.drain())).toContain('quit');
    },
  );

  it('a service before its turn may be started or restarted by a newer command, and gets a new run at its turn', () => {
    const sup = restarting('a', 'b');
    sup.start(specOf('a'), specOf('b'));
    sup.load(
      sup.ask({ type: 'restart', selection: { services: ['b'] } }),
      manifestOf(specOf('a'), specOf('b')),
    );
    sup.exit('b', 143);
    sup.up('b');
    expect(sup.service('b').runs).toBe(2);
    sup.exit('a', 143);
    sup.up('a');
    expect(sup.tags('a', 'b')).toEqual(['up', 'stopping']);
    sup.exit('b', 143);
    sup.up('b');
    expect(sup.replies().every(({ ok }) => ok)).toBe(true);
    expect(sup.service('b').runs).toBe(3);
  });
});
