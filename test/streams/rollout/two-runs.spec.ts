import { describe, expect, it } from 'vitest';
import { inStep, withCandidate, withoutRollout, withRollout } from '../../../src/streams/rollout/two-runs.ts';
import type { LastExit, LastFailure, Service } from '../../../src/streams/domain/service/service.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Instant } from '../../../src/streams/domain/time.ts';
import { idOf } from '../../support/spec.ts';
import { BEGAN, NOW, PROCESS, serviceIn, TAGS, type STATES } from '../../support/states.ts';

const failed = (tag: keyof typeof STATES): Service => {
  const { rollout, ...service } = withRollout(serviceIn(tag), NOW, false);
  if (rollout === undefined) throw new Error('no rollout');
  const error = { code: 'ERR0115', service: idOf('web'), detail: 'it died', evidence: [] } as const;
  return withoutRollout({ ...service, rollout: { ...rollout, undoing: { tag: 'failed', error } } }, NOW);
};

/** States in which the old run has no process that could continue. */
const GONE: ReadonlySet<string> = new Set([
  'down',
  'scheduled',
  'waiting',
  'preparing',
  'backing-off',
  'broken',
  'casualty',
]);

describe('a failed rollout', () => {
  it.each(TAGS)('a failed rollout says whether the old run, which is %s, continues', (tag) => {
    const [record] = failed(tag).rollouts ?? [];
    expect(record).toMatchObject({ outcome: 'failed', error: { code: 'ERR0115' } });
    expect(record?.error && 'old' in record.error ? record.error.old : 'goes on').toBe(
      GONE.has(tag) ? 'gone' : 'goes on',
    );
  });
});

/** Returns the service after the candidate of its rollout has taken over. */
const takenOver = (service: Service, candidate: Partial<Service> = {}): Service => {
  const { rollout } = service;
  if (rollout === undefined) throw new Error('no rollout');
  return withCandidate(service, { ...rollout, other: { ...rollout.other, ...candidate } });
};

describe('the skip override in a rollout', () => {
  const insisted = (before: boolean, now: boolean): Service =>
    withRollout({ ...serviceIn('up'), insisted: before }, NOW, now);

  it('the skip override applies to the candidate, and to the service once that has taken over', () => {
    const service = insisted(false, true);
    expect(service.rollout?.other.insisted).toBe(true);
    expect(takenOver(service).insisted).toBe(true);
  });

  it('the skip override ends with a restart of everything', () => {
    const service = insisted(true, false);
    expect(service.rollout?.other.insisted).toBe(false);
    expect(takenOver(service).insisted).toBe(false);
  });

  it('the skip override begins with a start by name while the candidate is starting', () => {
    expect(takenOver({ ...insisted(false, false), insisted: true }).insisted).toBe(true);
  });
});

describe('a scheduled service that is rolled out as a plain service', () => {
  it('a job that becomes a plain service keeps its past runs, and the one in progress as stopped', () => {
    const runs = [
      { due: BEGAN, result: 'success', startedAt: BEGAN, endedAt: BEGAN },
      { due: NOW, result: 'running', startedAt: NOW },
    ] as const;
    const job = { ...serviceIn('up'), schedule: { due: NOW, runs } };
    const { schedule } = takenOver(withRollout(job, NOW, false));
    expect(schedule).toEqual({ runs: [runs[0], { ...runs[1], result: 'stopped', endedAt: NOW }] });
  });
});

describe('a service after a candidate takes over', () => {
  const failure = (at: Instant): LastFailure => ({
    at,
    error: { code: 'ERR0110', service: idOf('web'), attempts: 1 },
  });
  const leftover = { run: runId(1), process: PROCESS, since: BEGAN, alive: [PROCESS] };
  const remembering: Service = {
    ...withRollout(serviceIn('up'), NOW, false),
    restartsTotal: 3,
    lastFailure: failure(BEGAN),
    remnants: [leftover],
  };

  it('a service keeps its restart count and leftover runs when a candidate takes over', () => {
    const after = takenOver(remembering);
    expect(after).toMatchObject({ restartsTotal: 3, remnants: [leftover] });
    expect(after.rollout?.other).not.toHaveProperty('remnants');
    expect(takenOver(remembering, { restartsTotal: 1 }).restartsTotal).toBe(4);
    expect(takenOver(withRollout(serviceIn('up'), NOW, false))).not.toHaveProperty('restartsTotal');
  });

  it('a service keeps its last exit, also of the replaced run, when a candidate takes over', () => {
    const exit = (at: Instant): LastExit => ({ at, status: { tag: 'signal', signal: 'SIGKILL' } });
    const after = takenOver({ ...remembering, lastExit: exit(BEGAN) });
    expect(after.lastExit).toEqual(exit(BEGAN));
    const { rollout } = after;
    if (rollout === undefined) throw new Error('no rollout');
    const retired = { ...inStep(rollout, 'retiring', NOW), other: { ...rollout.other, lastExit: exit(NOW) } };
    expect(withoutRollout({ ...after, rollout: retired }, NOW).lastExit).toEqual(exit(NOW));
  });

  it('a service keeps the newest failure of either run when a candidate takes over', () => {
    expect(takenOver(remembering).lastFailure).toEqual(failure(BEGAN));
    expect(takenOver(remembering, { lastFailure: failure(NOW) }).lastFailure).toEqual(failure(NOW));
  });
});
