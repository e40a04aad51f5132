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

/** The candidate of v2 is in its grace period, and the manifest declares v1 again. */
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

/** Ends the candidate. */
const withdrawn = (sup: Kernel): void => {
  const of = { service: idOf('web'), run: runId(2) };
  sup.post({ ...of, type: 'exited', status: { tag: 'signal', signal: 'SIGTERM' } });
  sup.post({ ...of, type: 'surveyed', alive: [], evidence: [] });
};

describe('a change that is taken back during its rollout', () => {
  it('a change taken back during its rollout cancels it, and the present run continues', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    expect(sup.service('web').rollout?.again).toBeUndefined();
    withdrawn(sup);
    expect(sup.service('web')).toMatchObject({ spec: v1, runs: 1, actual: { tag: 'up' } });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(sup.service('web').revised).toBeUndefined();
  });

  it('a change taken back is answered as canceled to the rollout and as done to the apply that took it back', () => {
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

  it('a change taken back is answered as done also if the clock was set meanwhile', () => {
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
  ])('a change taken back after %s had canceled its rollout starts no other', (_, meanwhile) => {
    const sup = watched();
    meanwhile(sup);
    run(sup, 'apply', v1);
    withdrawn(sup);
    expect(sup.service('web')).toMatchObject({ spec: v1, runs: 1, actual: { tag: 'up' } });
    expect(sup.service('web').rollout).toBeUndefined();
    expect(sup.service('web').revised).toBeUndefined();
    expect(Object.keys(sup.state().requests)).toEqual([]);
  });

  it('a change taken back during its rollout is planned as a cancellation', () => {
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

  it('a change taken back is rolled out after all if it changes once more', () => {
    const sup = watched();
    run(sup, 'apply', v1);
    run(sup, 'apply', v2);
    withdrawn(sup);
    expect(sup.service('web').rollout?.other).toMatchObject({ spec: v2, runs: 3 });
  });

  it('a change taken back during its rollout gets another run by a restart', () => {
    const sup = watched();
    run(sup, 'restart', v1);
    withdrawn(sup);
    expect(sup.service('web').rollout?.other).toMatchObject({ spec: v1, runs: 3 });
  });
});
