import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const deployment = { strategy: 'rolling', gracePeriod: ms(60_000) } as const;
const v1 = specOf('web', { digest: 'v1', deployment });
const v2 = specOf('web', { digest: 'v2', directory: '/v2', deployment });

const run = (sup: Kernel, type: 'apply' | 'restart' | 'plan', spec: ServiceSpec): void => {
  const command: Command = { type, selection: {} };
  sup.load(sup.ask(command), manifestOf(spec));
};

/** The candidate of v2 is watched, and the manifest has v1 again. */
const watched = (): Kernel => {
  const sup = kernel();
  sup.start(v1);
  sup.up('web');
  run(sup, 'apply', v2);
  const of = { service: idOf('web'), run: runId(2) };
  sup.post({ ...of, type: 'spawned', process: { pid: 77, startTicks: 7 } });
  sup.post({ ...of, type: 'elapsed', timer: 'stability' });
  expect(sup.service('web').rollout?.stages.at(-1)?.step).toBe('watching');
  sup.drain();
  return sup;
};

/** The candidate is gone. */
const withdrawn = (sup: Kernel): void => {
  const of = { service: idOf('web'), run: runId(2) };
  sup.post({ ...of, type: 'exited', status: { tag: 'signal', signal: 'SIGTERM' } });
  sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
};

describe('a change that is taken back while it is rolled out', () => {
  it('has its rollout called off, and the present run goes on', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    expect(sup.service('web').rollout?.again).toBeUndefined();
    withdrawn(sup);
    expect(sup.service('web')).toMatchObject({ spec: v1, runs: 1, actual: { tag: 'up' } });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(sup.service('web').revised).toBeUndefined();
  });

  it('is told as called off to who rolled it out, and as done to who took it back, once it is over', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    expect(sup.replies()).toEqual([]);
    withdrawn(sup);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { failures: [{ code: 'ERR0117', service: idOf('web') }] } },
      { ok: true, done: { outcomes: [{ service: idOf('web'), what: 'running' }] } },
    ]);
    sup.drain();
    run(sup, 'plan', v1);
    expect(sup.replies()).toMatchObject([{ done: { plan: { changes: [] } } }]);
  });

  it('is told as done where the clock was set meanwhile, too', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    sup.pass(3_600_000);
    sup.post({ type: 'clock-set', by: ms(3_600_000) });
    withdrawn(sup);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { failures: [{ code: 'ERR0117', service: idOf('web') }] } },
      { ok: true, done: { outcomes: [{ service: idOf('web'), what: 'running' }] } },
    ]);
  });

  it.each<[string, (sup: Kernel) => void]>([
    ['another apply', (sup) => run(sup, 'apply', specOf('web', { digest: 'v3', deployment }))],
    ['a restart', (sup) => run(sup, 'restart', v2)],
  ])('after %s had called it off already: no other begins', (_, meanwhile) => {
    const sup = watched();
    meanwhile(sup);
    run(sup, 'apply', v1);
    withdrawn(sup);
    expect(sup.service('web')).toMatchObject({ spec: v1, runs: 1, actual: { tag: 'up' } });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(sup.service('web').revised).toBeUndefined();
    expect(Object.keys(sup.state().requests)).toEqual([]);
  });

  it('is planned as what it is', () => {
    const sup = watched();
    run(sup, 'plan', v1);
    expect(sup.replies()).toMatchObject([
      {
        done: {
          plan: {
            changes: [{ action: 'change', strategy: 'rolling', rest: 'called-off', down: 0 }],
          },
        },
      },
    ]);
    const [reply] = sup.replies();
    const [change] = (reply?.ok === true && reply.done.plan?.changes) || [];
    expect(change?.keys).toEqual([]);
  });

  it('is rolled out all the same when it is changed once more meanwhile', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    run(sup, 'apply', v2);
    withdrawn(sup);
    expect(sup.service('web').rollout?.other).toMatchObject({ spec: v2, runs: 3 });
  });

  it('has another run by a restart', () => {
    const sup = watched();
    run(sup, 'restart', v1);
    withdrawn(sup);
    expect(sup.service('web').rollout?.other).toMatchObject({ spec: v1, runs: 3 });
  });
});
