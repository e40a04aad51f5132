import { describe, expect, it } from 'vitest';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { requestId, runId, NO_CLIENT } from '../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../support/spec.ts';

const PATH = '/shop/sup.yaml';
const GIVEN = `${NO_CLIENT}${PATH}`;

/** A supervisor that was started with these services (`sup supervise -c`). */
const given = (...specs: readonly ServiceSpec[]): Kernel => {
  const sup = kernel({}, { ...INITIAL_STATE, bound: true });
  sup.post({
    type: 'requested',
    request: requestId(GIVEN),
    command: { type: 'start', selection: { manifest: PATH } },
  });
  sup.load(GIVEN, manifestOf(...specs));
  return sup;
};
const essential = (changes: Partial<ServiceSpec> = {}): ServiceSpec =>
  specOf('api', { essential: true, restartPolicy: 'never', ...changes });
const quits = (sup: Kernel): readonly EffectOf<'quit'>[] =>
  sup.drain().filter((effect): effect is EffectOf<'quit'> => effect.type === 'quit');
const killed = (sup: Kernel, name: string, signal: string): void => {
  const news = { service: idOf(name), run: runId(sup.service(name).runs) };
  sup.post({ ...news, type: 'exited', status: { tag: 'signal', signal } });
  sup.gone(name);
};

describe('an essential service that ends for good', () => {
  it('an essential service that exits with 0 ends the others in order, then the supervisor', () => {
    const sup = given(essential(), specOf('db'), specOf('web', { dependsOn: needs('db') }));
    sup.up('api', 'db', 'web');
    sup.exit('api', 0);
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
    sup.exit('web', 143);
    expect(quits(sup)).toEqual([]);
    sup.exit('db', 143);
    const endReason = { tag: 'ended', service: 'shop/api', exit: { tag: 'code', code: 0 } };
    expect(quits(sup)).toEqual([{ type: 'quit', endReason }]);
    expect(sup.service('web').resume).toBe(true);
  });

  it.each([
    ['a status', (sup: Kernel) => sup.exit('api', 7), { tag: 'code', code: 7 }],
    ['a signal', (sup: Kernel) => killed(sup, 'api', 'SIGSEGV'), { tag: 'signal', signal: 'SIGSEGV' }],
  ])('an essential service that ends with %s sets the exit status of the supervisor', (_, end, exit) => {
    const sup = given(essential());
    sup.up('api');
    end(sup);
    expect(quits(sup)).toEqual([{ type: 'quit', endReason: { tag: 'ended', service: 'shop/api', exit } }]);
  });

  it('an essential service whose breaker opened sets the status of its last exit', () => {
    const sup = given(essential({ restartPolicy: 'always', maxRestarts: 0 }));
    sup.up('api');
    sup.exit('api', 3);
    expect(sup.tag('api')).toBe('broken');
    expect(quits(sup)).toMatchObject([{ endReason: { exit: { tag: 'code', code: 3 } } }]);
  });

  it('an essential service whose breaker opened after a clean exit has no status of an earlier run', () => {
    const sup = given(essential({ restartPolicy: 'always', maxRestarts: 1 }));
    sup.up('api');
    sup.exit('api', 7);
    sup.post({ type: 'elapsed', service: idOf('api'), run: runId(1), timer: 'backoff' });
    sup.up('api');
    sup.exit('api', 0);
    expect(sup.tag('api')).toBe('broken');
    expect(quits(sup)).toEqual([
      { type: 'quit', endReason: { tag: 'ended', service: 'shop/api', exit: undefined } },
    ]);
  });

  it('an essential service that cannot be started has no exit status to pass on', () => {
    const sup = given(essential());
    sup.post({
      type: 'spawn-failed',
      service: idOf('api'),
      run: runId(1),
      error: { code: 'ERR0113', service: idOf('api'), detail: 'ENOENT' },
    });
    expect(quits(sup)).toEqual([
      { type: 'quit', endReason: { tag: 'ended', service: 'shop/api', exit: undefined } },
    ]);
  });

  it('an essential service that ended before this supervisor began ends it once its start is answered', () => {
    const first = given(essential());
    first.up('api');
    first.exit('api', 0);
    const next = kernel({}, { ...INITIAL_STATE, bound: true });
    next.post({
      type: 'booted',
      settings: first.state().settings,
      registered: [],
      restored: [first.service('api')],
      found: [],
      sameBoot: true,
      warnings: [],
    });
    expect(quits(next)).toEqual([]);
    next.post({
      type: 'requested',
      request: requestId(GIVEN),
      command: { type: 'start', selection: { manifest: PATH } },
    });
    next.load(GIVEN, manifestOf(essential()));
    expect([next.tag('api'), quits(next)]).toMatchObject(['down', [{ endReason: { service: 'shop/api' } }]]);
  });
});

describe('an essential service during a rollout', () => {
  const rolled = essential({ deployment: { strategy: 'rolling', gracePeriod: ms(0) } });
  const candidate = { service: idOf('api'), run: runId(2) };
  const candidateFails = (sup: Kernel): void => {
    sup.post({ ...candidate, type: 'exited', status: { tag: 'code', code: 3 } });
    sup.post({ ...candidate, type: 'surveyed', alive: [], evidence: [] });
  };
  /** The old run of the service has ended for good, and its candidate is starting. */
  const ended = (): Kernel => {
    const sup = given(rolled);
    sup.up('api');
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(rolled));
    sup.post({ ...candidate, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.exit('api', 7);
    expect([sup.tag('api'), sup.state().phase]).toEqual(['down', 'running']);
    return sup;
  };

  it('an essential service that exits during its rollout continues with its candidate', () => {
    const sup = ended();
    sup.post({ ...candidate, type: 'elapsed', timer: 'stability' });
    expect([sup.tag('api'), sup.service('api').rollout, quits(sup)]).toEqual(['up', undefined, []]);
  });

  it('an essential service keeps running if only its candidate fails', () => {
    const sup = given(rolled);
    sup.up('api');
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(rolled));
    sup.post({ ...candidate, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    candidateFails(sup);
    expect([sup.tag('api'), sup.service('api').rollout, sup.state().phase]).toEqual([
      'up',
      undefined,
      'running',
    ]);
  });

  it('an essential service continues when another rollout replaces its candidate', () => {
    const sup = ended();
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(rolled));
    candidateFails(sup);
    sup.up('api');
    expect([sup.tag('api'), sup.state().phase, quits(sup)]).toEqual(['up', 'running', []]);
  });

  it('an essential service ends the supervisor if the end of its candidate cannot be verified', () => {
    const sup = ended();
    sup.post({ ...candidate, type: 'exited', status: { tag: 'code', code: 3 } });
    sup.post({ ...candidate, type: 'surveyed', alive: [{ pid: 78, startTicks: 8 }], evidence: [] });
    sup.post({ ...candidate, type: 'elapsed', timer: 'stop-timeout' });
    expect(sup.state().phase).toBe('running');
    sup.post({ ...candidate, type: 'elapsed', timer: 'stop-verify' });
    expect(quits(sup)).toMatchObject([{ endReason: { exit: { tag: 'code', code: 7 } } }]);
  });

  it('an essential service ends the supervisor if its candidate fails too', () => {
    const sup = ended();
    candidateFails(sup);
    expect(quits(sup)).toMatchObject([{ endReason: { exit: { tag: 'code', code: 7 } } }]);
  });
});

describe('services that do not end the supervisor', () => {
  it('an essential service that is restarted does not end the supervisor', () => {
    const sup = given(essential({ restartPolicy: 'always' }));
    sup.up('api');
    sup.exit('api', 1);
    expect([sup.tag('api'), quits(sup)]).toEqual(['backing-off', []]);
  });

  it('an essential service that is stopped by request does not end the supervisor', () => {
    const sup = given(essential());
    sup.up('api');
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('api', 143);
    expect([sup.tag('api'), quits(sup)]).toEqual(['down', []]);
  });

  it('a service that is not essential does not end the supervisor', () => {
    const sup = given(specOf('job', { restartPolicy: 'never' }));
    sup.up('job');
    sup.exit('job', 1);
    expect(quits(sup)).toEqual([]);
  });

  it('an essential service of a resident supervisor does not end it', () => {
    const sup = kernel();
    sup.start(essential());
    expect(sup.replies()).toMatchObject([]);
    sup.up('api');
    expect(sup.replies()).toMatchObject([
      { done: { warnings: ['shop/api: essential has an effect only with sup supervise -c'] } },
    ]);
    sup.exit('api', 1);
    expect(quits(sup)).toEqual([]);
  });
});

describe('manifests given to a foreground supervisor', () => {
  it('unusable given manifests end the supervisor at once, with nothing started', () => {
    const sup = kernel({}, { ...INITIAL_STATE, bound: true });
    sup.post({
      type: 'requested',
      request: requestId(GIVEN),
      command: { type: 'start', selection: { manifest: PATH } },
    });
    const message = 'unknown key';
    sup.load(GIVEN, manifestOf(specOf('api')), [
      { code: 'ERR0211', severity: 'error', path: 'services.api', message },
    ]);
    expect(quits(sup)).toEqual([{ type: 'quit', endReason: { tag: 'refused' } }]);
  });

  it('given manifests whose services fail leave the supervisor running', () => {
    const sup = given(specOf('api', { restartPolicy: 'never' }));
    sup.spawned('api');
    sup.exit('api', 1);
    expect(quits(sup)).toEqual([]);
  });
});
