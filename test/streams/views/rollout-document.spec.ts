import { describe, expect, it } from 'vitest';
import { withCandidate, withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Rollout, Service } from '../../../src/streams/domain/service/service.ts';
import { rolloutDocument, rolloutReason } from '../../../src/streams/views/rollout-document.ts';
import { lookUpIn } from '../../../src/streams/views/state-snapshot.ts';
import { becauseOf } from '../../../src/streams/views/words/because-of.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';
import { BEGAN, NOW, RUN, serviceIn, STATES } from '../../support/states.ts';

const NEXT = runId(RUN + 1);
const rolling = (changes: Partial<Service> = {}): { service: Service; rollout: Rollout } => {
  const revised = specOf('web', { digest: 'newer', dependsOn: needs('db') });
  const service = withRollout({ ...serviceIn('up'), revised }, BEGAN, false);
  if (service.rollout === undefined) throw new Error('no rollout');
  const rollout = { ...service.rollout, other: { ...service.rollout.other, ...changes } };
  return { service: { ...service, rollout }, rollout };
};
const begun = { runs: NEXT, actual: { ...STATES.starting, run: NEXT } } as const;
const db: Service = { ...serviceIn('down'), spec: specOf('db') };
const byId = lookUpIn([db]);
const up = lookUpIn([{ ...serviceIn('up'), spec: db.spec }]);

describe('a candidate in the rollout document', () => {
  it('a candidate has a run number once it has started, and keeps it after its end', () => {
    const runOf = ({ service }: { service: Service }): unknown =>
      rolloutDocument(service, NOW)?.candidate.run;
    expect(runOf(rolling())).toBeNull();
    expect(runOf(rolling(begun))).toBe(NEXT);
    const { service, rollout } = rolling({ runs: NEXT, actual: STATES['backing-off'] });
    expect(runOf({ service: { ...service, rollout: { ...rollout, candidate: NEXT } } })).toBe(NEXT);
    const own = rolling().service;
    expect(runOf({ service: { ...own, runs: RUN + 4 } })).toBeNull();
  });

  it('a candidate that has replaced the old run has its own run number, and the old run has its own', () => {
    const { service, rollout } = rolling(begun);
    const stages = [...rollout.stages, { step: 'retiring', at: NOW }] as const;
    const after = withCandidate(service, { ...rollout, stages, candidate: NEXT });
    expect(rolloutDocument(after, NOW)).toMatchObject({ old: { run: RUN }, candidate: { run: NEXT } });
  });

  it('a candidate that waits names its dependency as the reason, and the service continues', () => {
    const { service } = rolling();
    expect(rolloutReason(service, { now: NOW, byId })).toBe(
      'rolling out: starting 1 min so far (candidate waits for db (stopped))',
    );
    expect(becauseOf(service, byId)).toEqual([idOf('db')]);
    expect(becauseOf(service, up)).toEqual([]);
    expect(becauseOf(rolling(begun).service, byId)).toEqual([]);
  });

  it('a candidate that waits for no dependency is waiting, and a candidate that starts is named with its run', () => {
    expect(rolloutReason(rolling().service, { now: NOW, byId: up })).toMatch(/\(candidate waiting\)$/);
    expect(rolloutReason(rolling(begun).service, { now: NOW, byId })).toMatch(
      /\(candidate run 4 starting, pid 300\)$/,
    );
  });
});
