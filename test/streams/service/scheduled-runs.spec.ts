import { describe, expect, it } from 'vitest';
import type { Schedule, StopCause } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import {
  begun,
  ended,
  halted,
  passed,
  resultOf,
} from '../../../src/streams/service/scheduled/scheduled-results.ts';
import { failedRun } from '../../../src/streams/domain/service/schedule.ts';
import { idOf } from '../../support/spec.ts';
import { BEGAN, NOW, serviceIn } from '../../support/states.ts';

const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const running: Schedule = { runs: [{ due: BEGAN, result: 'running', startedAt: BEGAN }] };
const error = { code: 'ERR0114', service: idOf('web'), limit: 5 as never } as const;

describe('a time whose run has not begun', () => {
  const waiting: Schedule = { runs: [], rung: NOW, rungBy: 'queued' };
  const once = { ...cron, cron: { ...cron.cron, catchUp: 'once' } } as const;

  it('a time whose run has not begun is missed if the service is stopped', () => {
    expect(halted(serviceIn('up', once), waiting)).toEqual({ runs: [{ due: NOW, result: 'missed' }] });
  });

  it('with catch_up, a time whose run has not begun is kept for the next supervisor if only the supervisor ends', () => {
    const service = { ...serviceIn('up', once), resume: true };
    expect(halted(service, waiting)).toEqual({ runs: [], rung: NOW, rungBy: 'caught-up' });
    expect(halted({ ...service, leaving: true }, waiting).rung).toBeUndefined();
  });
});

describe('the run history of a job', () => {
  it('the run history keeps the last fifty runs', () => {
    let schedule: Schedule = { runs: [] };
    for (let due = 1; due <= 60; due += 1) schedule = passed(schedule, instant(due), 'overlap');
    expect(schedule.runs).toHaveLength(50);
    expect([schedule.runs.at(0)?.due, schedule.runs.at(-1)?.due]).toEqual([11, 60]);
  });

  it('the run history adds a run when it starts', () => {
    expect(begun({ runs: [] }, NOW).runs).toEqual([{ due: NOW, result: 'running', startedAt: NOW }]);
  });

  it.each<[StopCause, number, string]>([
    [{ tag: 'exited', wasReady: true }, 0, 'success'],
    [{ tag: 'exited', wasReady: false }, 0, 'success'],
    [{ tag: 'exited', wasReady: true }, 1, 'failure'],
    [{ tag: 'unhealthy', wasReady: true, error }, 0, 'failure'],
    [{ tag: 'timeout', error }, 143, 'timeout'],
    [{ tag: 'asked' }, 143, 'stopped'],
    [{ tag: 'restart' }, 0, 'stopped'],
    [{ tag: 'felled', of: [] }, 143, 'stopped'],
  ])('the run history shows a run that ended by %j with %i as %s', (cause, code, result) => {
    expect(resultOf(cause, { tag: 'code', code })).toBe(result);
  });

  it.each([[{ tag: 'unknown' } as const], [undefined]])(
    'the run history shows an end of %j as unknown',
    (exit) => {
      expect(resultOf({ tag: 'exited', wasReady: true }, exit)).toBe('unknown');
    },
  );

  it('the run history keeps how the current run ended', () => {
    const exit = { tag: 'code', code: 1 } as const;
    const { runs } = ended(running, { at: NOW, result: 'failure', exit, error });
    expect(runs).toEqual([{ due: BEGAN, result: 'failure', startedAt: BEGAN, endedAt: NOW, exit, error }]);
  });

  it.each([
    [['success', 'failure'], 'failure'],
    [['success', 'timeout', 'overlap', 'stopped', 'unknown', 'missed'], 'timeout'],
    [['failure', 'success'], undefined],
    [['overlap'], undefined],
    [[], undefined],
  ] as const)('after %j the run to correct is the %s', (results, failed) => {
    const runs = results.map((result, at) => ({ due: instant(at), result }));
    const job = { ...serviceIn('scheduled', cron), schedule: { runs } };
    expect(failedRun(job)?.result).toBe(failed);
    expect(failedRun({ ...job, spec: serviceIn('up').spec })).toBeUndefined();
  });

  it('the run history ends the current run, not the overlap after it', () => {
    const { runs } = ended(passed(running, NOW, 'overlap'), { at: NOW, result: 'success' });
    expect(runs.map(({ result }) => result)).toEqual(['success', 'overlap']);
  });

  it('the run history does not change without a current run', () => {
    const quiet = passed({ runs: [] }, NOW, 'overlap');
    expect(ended(quiet, { at: NOW, result: 'success' })).toBe(quiet);
  });
});
