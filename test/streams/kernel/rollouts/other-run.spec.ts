import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import type { Event } from '../../../../src/streams/domain/event.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { Run } from '../../../../src/streams/domain/service/service-run.ts';
import type { RolloutStep } from '../../../../src/streams/domain/service/rollout.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { isTurn } from '../../../../src/streams/kernel/after-step/state-change.ts';
import { step } from '../../../../src/streams/kernel/step.ts';
import { inStep, withCandidate, withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf } from '../../../support/spec.ts';
import { NOW, RUN, serviceIn, STATES } from '../../../support/states.ts';

const NEXT = runId(RUN + 1);

/** The main process of the run exited with 1 by itself, and its other processes are being stopped. */
const crashed = (run: Run, wanted: Run['wanted']): Run => {
  const exit = { tag: 'code', code: 1 } as const;
  const cause = { tag: 'exited', wasReady: true } as const;
  return { ...run, wanted, actual: { ...STATES.stopping, run: runId(run.runs), cause, exit } };
};

/** A service in this step of a rollout, whose other run has just crashed. */
const rolling = (to: RolloutStep, wanted: Run['wanted']): Service => {
  const service = withRollout(serviceIn('up'), NOW, false);
  if (service.rollout === undefined) throw new Error('no rollout');
  const candidate: Run = { ...service.rollout.other, runs: NEXT, actual: { ...STATES.up, run: NEXT } };
  const begun = { ...inStep(service.rollout, to, NOW), candidate: NEXT, other: candidate };
  const { rollout, ...stepped } =
    to === 'retiring' ? withCandidate(service, begun) : { ...service, rollout: begun };
  if (rollout === undefined) throw new Error('no rollout');
  return { ...stepped, rollout: { ...rollout, other: crashed(rollout.other, wanted) } };
};

const going = (service: Service): Kernel => {
  const sup = kernel();
  sup.post({
    ...{ type: 'booted', settings: DEFAULT_SETTINGS, registered: [], found: [], warnings: [] },
    ...{ restored: [service], sameBoot: true, continued: true },
  });
  return sup;
};

/** Returns the state of the other run after all its processes are gone. */
const endOfOther = (sup: Kernel, service: string): Run['actual'] | undefined => {
  const run = runId(sup.service(service).rollout?.other.runs ?? 0);
  const event: Event = { type: 'surveyed', service: idOf(service), run, alive: [], evidence: [] };
  const { rollouts } = step(sup.state(), { at: NOW, event });
  return rollouts.flatMap((each) => (isTurn(each) ? [] : [each.after.actual]))[0];
};

describe('the other run of a rollout after a crash while the supervisor ends', () => {
  it.each<RolloutStep>(['retiring', 'withdrawing'])(
    'the crashed other run in step %s ends as stopped if it had to stop, although its service resumes',
    (to) => {
      const sup = going(rolling(to, 'down'));
      sup.post({ type: 'signalled', signal: 'SIGTERM' });
      expect(sup.service('web').resume).toBe(true);
      expect(endOfOther(sup, 'web')).toEqual({ tag: 'down', why: { tag: 'asked' } });
    },
  );

  it.each<RolloutStep>(['retiring', 'withdrawing'])(
    'the crashed other run in step %s ends as failed if it did not have to stop',
    (to) => {
      const sup = going(rolling(to, 'up'));
      sup.post({ type: 'signalled', signal: 'SIGTERM' });
      expect(endOfOther(sup, 'web')).toMatchObject({ tag: 'backing-off', error: { code: 'ERR0101' } });
    },
  );
});
