import { describe, expect, it } from 'vitest';
import type { RolloutFacts, RolloutStep } from '../../../src/streams/domain/service/rollout.ts';
import type { HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import type { BlueGreen, Deployment } from '../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { instant, ms, seconds } from '../../../src/streams/domain/time.ts';
import type {
  RolloutInput,
  RolloutInputType,
  RolloutMove,
} from '../../../src/streams/rollout/rollout-input.ts';
import { rolled } from '../../../src/streams/rollout/rollout-machine.ts';
import { TABLE } from '../../../src/streams/rollout/rollout-table.ts';
import { UNPROBED } from '../../../src/streams/domain/service/service-state.ts';
import { idOf } from '../../support/spec.ts';

const STEPS = Object.keys(TABLE) as readonly RolloutStep[];
const WELL = { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] } as const;
const BADLY = { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: ['no nginx'] } as const;
const crash = { code: 'ERR0101', service: idOf('web'), status: { tag: 'code', code: 1 } } as const;

const INPUTS: { readonly [I in RolloutInputType]: Extract<RolloutInput, { type: I }> } = {
  ready: { type: 'ready' },
  lost: { type: 'lost' },
  over: { type: 'over', error: crash },
  verified: { type: 'verified', result: { tag: 'passed' } },
  switched: { type: 'switched', outcome: WELL },
  elapsed: { type: 'elapsed' },
  abort: { type: 'abort' },
};
const check: HealthCheck = {
  probe: { tag: 'command', command: 'true' },
  interval: seconds(1),
  startInterval: ms(100),
  attemptTimeout: seconds(1),
  totalTimeout: ms(0),
  retries: 1,
};
const rolling: Deployment = { strategy: 'rolling', gracePeriod: seconds(5) };
const blueGreen: BlueGreen = { envVar: 'PORT', slots: ['1', '2'], switchCommand: 'true' };
const checked = { ...blueGreen, candidateHealthCheck: check, switchVerify: check };
const switching = (declared: BlueGreen): Deployment => ({ ...rolling, blueGreen: declared });

const facts = (step: RolloutStep, changes: Partial<RolloutFacts> = {}): RolloutFacts => ({
  strategy: 'blue-green',
  stages: [
    { step: 'starting', at: instant(0) },
    { step, at: instant(1_000) },
  ],
  old: runId(1),
  candidate: runId(2),
  check: UNPROBED,
  evidence: ['last words'],
  ...changes,
});

const on = (
  step: RolloutStep,
  input: RolloutInput,
  {
    deployment = rolling,
    hasWayBack = true,
    at = 9_000,
    ...changes
  }: Partial<RolloutFacts> & { deployment?: Deployment; hasWayBack?: boolean; at?: number } = {},
): RolloutMove =>
  rolled({
    ...{ service: idOf('web'), rollout: facts(step, changes), deployment, hasWayBack, input },
    at: instant(at),
  });

describe('the rollout table', () => {
  it('the rollout table knows each input in each step', () => {
    for (const step of STEPS) expect(Object.keys(TABLE[step]).sort()).toEqual(Object.keys(INPUTS).sort());
  });

  it.each([
    ['rolling', rolling, 'starting', INPUTS.ready, 'watching'],
    ['rolling without grace', { ...rolling, gracePeriod: ms(0) }, 'starting', INPUTS.ready, 'retiring'],
    ['blue/green', switching(blueGreen), 'starting', INPUTS.ready, 'switching'],
    ['blue/green, checked', switching(checked), 'starting', INPUTS.ready, 'verifying'],
    ['blue/green, checked', switching(checked), 'verifying', INPUTS.verified, 'switching'],
    ['blue/green', switching(blueGreen), 'switching', INPUTS.switched, 'watching'],
    ['blue/green, checked', switching(checked), 'switching', INPUTS.switched, 'confirming'],
    ['blue/green, checked', switching(checked), 'confirming', INPUTS.verified, 'watching'],
    ['any', rolling, 'watching', INPUTS.elapsed, 'retiring'],
    ['any', rolling, 'retiring', INPUTS.over, 'done'],
  ] as const)('the rollout table leads %s on: %j in %s on %j to %s', (...[, deployment, step, input, to]) => {
    expect(on(step, input, { deployment })).toEqual({ to });
  });

  it.each(['starting', 'verifying'] as const)('a rollout stops a candidate that is lost while %s', (step) => {
    expect(on(step, INPUTS.lost)).toEqual({ to: 'withdrawing' });
  });

  it.each(['switching', 'confirming'] as const)(
    'a rollout switches back first if its candidate is lost while %s',
    (step) => {
      expect(on(step, INPUTS.lost, { deployment: switching(checked) })).toEqual({ to: 'reverting' });
    },
  );

  it('a rollout in its grace period switches back only what was switched', () => {
    expect(on('watching', INPUTS.lost)).toEqual({ to: 'withdrawing' });
    expect(on('watching', INPUTS.lost, { deployment: switching(blueGreen) })).toEqual({ to: 'reverting' });
  });

  it.each(['starting', 'verifying', 'switching', 'confirming', 'watching'] as const)(
    'a rollout can be canceled while %s',
    (step) => {
      expect(on(step, INPUTS.abort)).toMatchObject({ undoing: { tag: 'called-off' } });
    },
  );

  it.each(['retiring', 'reverting', 'withdrawing'] as const)(
    'a rollout cannot be canceled while %s',
    (step) => {
      expect(on(step, INPUTS.abort)).toEqual({});
    },
  );

  it('a failed rollout blames the candidate with its last output', () => {
    expect(on('starting', INPUTS.over)).toEqual({
      to: 'undone',
      undoing: {
        tag: 'failed',
        error: {
          code: 'ERR0115',
          service: idOf('web'),
          detail: 'the candidate: exited with 1',
          evidence: ['last words'],
        },
      },
    });
  });

  it.each([
    ['command', 'the candidate was skipped: its skip command succeeded'],
    ['manifest', 'the candidate was skipped: skip is true in the manifest'],
    [idOf('db'), 'the candidate was skipped: its dependency db is skipped'],
  ] as const)('a rollout names why its candidate was skipped: %s', (skipped, detail) => {
    expect(on('starting', { type: 'over', skipped })).toMatchObject({
      to: 'undone',
      undoing: { tag: 'failed', error: { code: 'ERR0115', detail, evidence: [] } },
    });
  });

  it('a failed rollout blames the step that it reached', () => {
    const stages = ['starting', 'watching', 'withdrawing'] as const;
    const [first, ...rest] = stages.map((step, at) => ({ step, at: instant(at) }));
    if (first === undefined) throw new Error('no stage');
    const { undoing } = on('withdrawing', INPUTS.over, { stages: [first, ...rest] });
    expect(undoing).toMatchObject({
      error: { detail: 'the candidate, in its grace period: exited with 1' },
    });
  });

  it('a failed rollout blames the switch with its output, and switches back', () => {
    expect(on('switching', { type: 'switched', outcome: BADLY })).toMatchObject({
      to: 'reverting',
      undoing: {
        error: { code: 'ERR0116', detail: 'switch_command exited with 1', evidence: ['no nginx'] },
      },
    });
  });

  it('a failed rollout says that the traffic is unknown if switching back fails too', () => {
    const undoing = on('switching', { type: 'switched', outcome: BADLY }).undoing;
    const move = on(
      'reverting',
      { type: 'switched', outcome: { tag: 'over-budget' } },
      undoing && { undoing },
    );
    expect(move).toMatchObject({
      to: 'withdrawing',
      undoing: {
        error: {
          code: 'ERR0116',
          detail:
            'switch_command exited with 1; switching back failed too (switch_command was killed: it took too long)',
          old: 'unknown',
        },
      },
    });
  });

  it('a rollout gives a check its attempts', () => {
    const failing: RolloutInput = { type: 'verified', result: { tag: 'timed-out' } };
    const deployment = switching({ ...checked, switchVerify: { ...check, retries: 2 } });
    const first = on('confirming', failing, { deployment });
    expect(first).toMatchObject({ check: { health: 'unhealthy', failures: 1 } });
    expect(
      on('confirming', failing, { deployment, at: 10_000, ...(first.check && { check: first.check }) }),
    ).toMatchObject({
      to: 'reverting',
      undoing: { error: { code: 'ERR0116' } },
    });
  });

  it.each([
    ['switching', { type: 'switched', outcome: BADLY }, 'withdrawing', 'ERR0116'],
    ['switching', INPUTS.lost, 'withdrawing', undefined],
    ['confirming', INPUTS.over, 'undone', 'ERR0115'],
    ['watching', INPUTS.over, 'undone', 'ERR0115'],
  ] as const)(
    'a rollout that is the first with blue/green does not switch back in %s: the traffic is unknown',
    (...[step, input, to, code]) => {
      const move = on(step, input, { deployment: switching(checked), hasWayBack: false });
      expect(move.to).toBe(to);
      const error = move.undoing?.tag === 'failed' ? move.undoing.error : undefined;
      expect(error?.code).toBe(code);
      if (error !== undefined)
        expect(error).toMatchObject({ old: 'unknown', detail: expect.stringContaining('no slot') as string });
    },
  );

  it('a rollout that is the first with blue/green and canceled after the switch is withdrawn: the traffic is unknown', () => {
    const oneWay = { deployment: switching(blueGreen), hasWayBack: false };
    const called = on('watching', INPUTS.abort, oneWay);
    expect(called).toMatchObject({
      to: 'withdrawing',
      undoing: { tag: 'failed', calledOff: true, error: { code: 'ERR0116', old: 'unknown' } },
    });
    // The end of the candidate does not add the same text again.
    const { stages } = facts('watching');
    const withdrawn: RolloutFacts['stages'] = [...stages, { step: 'withdrawing', at: instant(2_000) }];
    const after = on('withdrawing', INPUTS.over, {
      ...oneWay,
      stages: withdrawn,
      ...(called.undoing && { undoing: called.undoing }),
    });
    expect(after).toEqual({ to: 'undone', undoing: called.undoing });
    expect(on('starting', INPUTS.over, { deployment: switching(blueGreen), hasWayBack: false })).toEqual(
      on('starting', INPUTS.over, { deployment: switching(blueGreen) }),
    );
  });
});
