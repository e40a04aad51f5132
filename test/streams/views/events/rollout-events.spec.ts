import { describe, expect, it } from 'vitest';
import {
  STEP_WORDS,
  type RolloutRecord,
  type RolloutStep,
  type Stage,
} from '../../../../src/streams/domain/service/rollout.ts';
import type { ServiceError } from '../../../../src/streams/domain/errors/error.ts';
import type { Service, ServiceState } from '../../../../src/streams/domain/service/service.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { inStep, withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { rolloutEvent, runEvents } from '../../../../src/streams/views/events/rollout-events.ts';
import { idOf } from '../../../support/spec.ts';
import { INPUTS, NOW, serviceIn, STATES } from '../../../support/states.ts';

const EXITED: ServiceError = {
  code: 'ERR0102',
  service: idOf('web'),
  status: { tag: 'code', code: 1 },
  evidence: [],
};
const SLOTTED = {
  ...serviceIn('up').spec.deployment,
  blueGreen: { envVar: 'SLOT', slots: ['blue', 'green'], switchCommand: 'true' },
} as const;
const around = { at: NOW, byId: () => undefined };

/** Returns the service in that step of a rollout. Its candidate is run 4, pid 400. */
const rolling = (...steps: readonly RolloutStep[]): Service => {
  const begun = withRollout(serviceIn('up'), instant(0), false);
  const { rollout } = begun;
  if (rollout === undefined) return begun;
  const candidate = { ...serviceIn('up', { deployment: SLOTTED }), runs: 4 };
  const actual = { ...candidate.actual, run: runId(4), process: { pid: 400, startTicks: 1 } };
  const other = { ...candidate, actual, slot: 'green' } as Service;
  return { ...begun, rollout: steps.reduce((so, step) => inStep(so, step, NOW), { ...rollout, other }) };
};

const stages: readonly [Stage, ...Stage[]] = [{ step: 'starting', at: instant(0) }];
const record: RolloutRecord = {
  strategy: 'rolling',
  outcome: 'done',
  stages,
  ended: NOW,
  old: runId(3),
  candidate: runId(4),
};
const over = (last: RolloutRecord): Service => ({ ...serviceIn('up'), rollouts: [last] });

describe('rollout events', () => {
  it('a rollout event says how the rollout begins', () => {
    const event = rolloutEvent({ before: serviceIn('up'), after: rolling() }, around);
    expect(event).toMatchObject({
      kind: 'rollout',
      from: 'running',
      to: 'running',
      reason: 'the candidate starts',
      rollout: { strategy: 'rolling', step: 'starting', slot: 'green' },
    });
  });

  it('a rollout event at each step says what succeeded, what begins and which run the candidate is', () => {
    const event = rolloutEvent({ before: rolling(), after: rolling('watching') }, around);
    expect(event).toMatchObject({
      run: 4,
      pid: 400,
      cause: 'rollout',
      reason: 'the candidate is ready; the candidate is watched',
      code: null,
      rollout: { step: 'watching' },
    });
  });

  it.each(['reverting', 'withdrawing'] as const)(
    'a rollout event of a step that undoes the rollout reports no success: %s',
    (step) => {
      const event = rolloutEvent({ before: rolling('watching'), after: rolling('watching', step) }, around);
      expect(event.reason).toBe(STEP_WORDS[step]);
    },
  );

  it('a rollout event says how the rollout ended, with its error', () => {
    const before = rolling('retiring');
    expect(rolloutEvent({ before, after: over(record) }, around)).toMatchObject({
      run: 3,
      pid: 300,
      reason: 'the new run has taken the place of the old one, after 1 min 1 s',
      rollout: { step: 'done' },
    });
    const error = { code: 'ERR0115', service: idOf('web'), detail: 'it died', evidence: [] } as const;
    expect(
      rolloutEvent({ before, after: over({ ...record, outcome: 'failed', error }) }, around),
    ).toMatchObject({
      run: 4,
      pid: null,
      code: 'ERR0115',
      reason: 'rollout failed, the old instance keeps running: it died',
      rollout: { step: 'failed' },
    });
    expect(rolloutEvent({ before, after: over({ ...record, outcome: 'called-off' }) }, around)).toMatchObject(
      {
        code: null,
        reason: 'called off after 1 min 1 s; the old run stays',
      },
    );
  });

  it('a rollout event shows a state change of the service if the old run just ended', () => {
    const event = rolloutEvent({ before: serviceIn('backing-off'), after: rolling('retiring') }, around);
    expect(event).toMatchObject({ from: 'backoff', to: 'running' });
  });

  it('a rollout event of the second run has the step of the rollout', () => {
    const move = { before: serviceIn('starting'), after: serviceIn('up'), input: INPUTS.elapsed };
    const byId = (): Service => rolling('watching');
    expect(runEvents(move, { at: NOW, byId })).toMatchObject([
      { kind: 'run', from: 'starting', to: 'running', pid: 300, rollout: { step: 'watching' } },
    ]);
    expect(runEvents({ ...move, before: serviceIn('up') }, { at: NOW, byId })).toEqual([]);
  });

  it.each<['backing-off' | 'broken', ServiceState]>([
    ['backing-off', { ...STATES['backing-off'], error: EXITED }],
    [
      'broken',
      { tag: 'broken', error: { code: 'ERR0110', service: idOf('web'), attempts: 0, last: EXITED } },
    ],
  ])(
    'a rollout event of a second run that exits is a failure, because the run is not restarted from %s',
    (tag, actual) => {
      const ended = { ...serviceIn(tag), actual };
      const byId = (): Service => rolling();
      const ends = { before: serviceIn('stopping'), after: ended, input: INPUTS.surveyed };
      expect(runEvents(ends, { at: NOW, byId })).toMatchObject([
        { kind: 'run', from: 'stopping', to: 'failed', code: 'ERR0102' },
      ]);
      expect(runEvents(ends, { at: NOW, byId })[0]?.reason).toBe('exited with 1 before it was ready');
      const gone = { before: ended, after: serviceIn('down'), input: INPUTS.stop };
      expect(runEvents(gone, { at: NOW, byId })).toMatchObject([{ from: 'failed', to: 'stopped' }]);
    },
  );
});
