import { describe, expect, it } from 'vitest';
import type { Found } from '../../../../src/streams/domain/event.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import type { Run } from '../../../../src/streams/domain/service/service-run.ts';
import type { Service, ServiceState, Tag } from '../../../../src/streams/domain/service/service.ts';
import { withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { restored } from '../../../../src/streams/kernel/rollouts/restored-rollout.ts';
import { idOf } from '../../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn, STATES } from '../../../support/states.ts';

const NEXT = runId(RUN + 1);
const CANDIDATE = { pid: 400, startTicks: 4000 };
const PREPARING = { tag: 'preparing', run: NEXT, step: 'pre_start' } as const;

const found = (run: Found['run'], process = PROCESS): Found => ({ service: idOf('web'), run, process });

/** A service in the state `tag` with a rollout whose candidate has these changes. */
const rolling = (changes: Partial<Service>, tag: Tag = 'up'): Service => {
  const service = withRollout(serviceIn(tag), NOW, false);
  const { rollout } = service;
  if (rollout === undefined) throw new Error('no rollout');
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, ...changes } } };
};

const bootFacts = (
  service: Service,
  ...alive: readonly Found[]
): { readonly own: Service; readonly candidate: Run | undefined } => {
  const own = restored(service, { found: alive, sameBoot: true, at: NOW });
  return { own, candidate: own.rollout?.other };
};

describe('a restored candidate without a process', () => {
  it.each<[string, ServiceState]>([
    ['its dependencies', { tag: 'waiting', for: 'dependencies' }],
    ['the gate', { tag: 'waiting', for: 'gate' }],
  ])('a restored candidate that waited for %s still waits for its own first run', (_, actual) => {
    const { own, candidate } = bootFacts(rolling({ actual }), found(RUN));
    expect(own).toMatchObject({ runs: RUN, actual: { tag: 'up', process: PROCESS } });
    expect(candidate).toMatchObject({ wanted: 'up', actual: STATES.waiting, lane: 1 });
    expect(candidate?.numbered).toBe(RUN);
  });

  it.each<[string, ServiceState]>([
    ['being prepared', PREPARING],
    ['being spawned', { tag: 'spawning', run: NEXT }],
  ])('a restored candidate that was %s starts again under another number', (_, actual) => {
    const { own, candidate } = bootFacts(rolling({ actual, runs: NEXT }), found(RUN));
    expect(own).toMatchObject({ runs: RUN, actual: { tag: 'up', process: PROCESS } });
    expect(candidate).toMatchObject({ runs: NEXT, actual: STATES.waiting, lane: 1 });
  });

  it('a restored candidate is adopted if it started after the last record', () => {
    const { own, candidate } = bootFacts(rolling({}), found(RUN), found(NEXT, CANDIDATE));
    expect(own).toMatchObject({ runs: RUN, actual: { process: PROCESS } });
    expect(candidate).toMatchObject({ runs: NEXT, actual: { tag: 'starting', process: CANDIDATE } });
  });

  it('a restored candidate still waits if the old run is in backoff', () => {
    const { own, candidate } = bootFacts(rolling({}, 'backing-off'));
    expect(own.actual.tag).toBe('backing-off');
    expect(candidate?.actual).toEqual(STATES.waiting);
  });

  it('a restored candidate still waits if the old run crashed and was replaced', () => {
    const again = { ...rolling({}), runs: NEXT, actual: { ...STATES.up, run: NEXT, process: CANDIDATE } };
    const { own, candidate } = bootFacts(again, found(NEXT, CANDIDATE));
    expect(own).toMatchObject({ runs: NEXT, actual: { tag: 'up', process: CANDIDATE } });
    expect(candidate).toMatchObject({ runs: RUN, actual: STATES.waiting });
  });
});
