// Rules that hold for a scheduled service, whatever happens to it.
import { describe, expect, it } from 'vitest';
import type { Service, Tag } from '../../../src/streams/domain/service/service.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { instant, plus, seconds } from '../../../src/streams/domain/time.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { BEGAN, CONTEXT, INPUTS, NOW, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const news = { service: idOf('web'), run: RUN } as const;
const over = (purpose: 'skip' | 'pre_start', code: number): Input => ({
  ...{ ...news, type: 'command-ended', purpose },
  outcome: { tag: 'ended', status: { tag: 'code', code }, evidence: [] },
});
const late: Input = { ...news, type: 'command-ended', purpose: 'skip', outcome: { tag: 'over-budget' } };
const inputs = [...Object.values<Input>(INPUTS), over('pre_start', 0), over('pre_start', 1), late];

/** Returns scheduled services that were started by name and have a run in progress. */
const jobs = (tag: Tag): readonly Service[] => {
  const job: Service = {
    ...serviceIn(tag, cron),
    insisted: true,
    schedule: { runs: [{ due: BEGAN, result: 'running', startedAt: BEGAN }] },
  };
  const exit = { tag: 'code', code: 1 } as const;
  const exited: Service = { ...job, actual: { ...STATES.stopping, exit } };
  const skipping: Service = { ...job, actual: { ...STATES.preparing, step: 'skip' } };
  return [
    job,
    { ...job, wanted: 'down' },
    ...(tag === 'preparing' ? [skipping] : []),
    ...(tag === 'stopping' ? [exited, { ...exited, wanted: 'down' } as const] : []),
  ];
};
const outcomes = (tag: Tag): readonly Service[] =>
  jobs(tag).flatMap((job) => inputs.map((input) => transition(job, input, CONTEXT).service));

const WITH_A_RUN: readonly Tag[] = ['preparing', 'spawning', 'starting', 'up', 'stopping'];

describe('a scheduled service', () => {
  it.each(TAGS.filter((tag) => tag !== 'scheduled'))(
    'a scheduled service in state %s that waits for its scheduled time again is no longer started by name',
    (tag) => {
      const waiting = outcomes(tag).filter(({ actual }) => actual.tag === 'scheduled');
      expect(waiting.filter(({ insisted }) => insisted)).toEqual([]);
    },
  );

  it.each<Tag>(['preparing', 'spawning', 'stopping'])(
    'a scheduled service has no current run once it left %s for a state without one',
    (tag) => {
      const left = outcomes(tag).filter(({ actual }) => !WITH_A_RUN.includes(actual.tag));
      expect(left).not.toEqual([]);
      const results = left.flatMap(({ schedule }) => schedule.runs.map(({ result }) => result));
      expect(results).not.toContain('running');
    },
  );

  it.each([INPUTS.stop, INPUTS.restart, INPUTS.fell])(
    'a scheduled service that is interrupted while preparing was stopped: %j',
    (input) => {
      const [job = serviceIn('preparing')] = jobs('preparing');
      expect(transition(job, input, CONTEXT).service.schedule.runs).toEqual([
        { due: BEGAN, result: 'stopped', startedAt: BEGAN, endedAt: CONTEXT.at },
      ]);
    },
  );
});

describe('a job whose expression has changed', () => {
  const midnight = { expression: '0 0 * * *', timezone: 'utc' } as const;
  const revised = specOf('web', { kind: 'cron', cron: { ...cron.cron, expression: '*/5 * * * * *' } });
  const soon = plus(NOW, seconds(4));
  const changed = (tag: Tag, changes: Partial<Service> = {}): Service => ({
    ...serviceIn(tag, { ...cron, cron: midnight }),
    schedule: { due: instant(86_400_000), runs: [] },
    revised,
    ...changes,
  });
  const rang: Input = { type: 'rang', service: idOf('web'), due: NOW };
  const over = { ...STATES.stopping, exit: { tag: 'code', code: 0 } } as const;

  it.each<[string, Service, Input]>([
    [
      'that is run anew by name',
      changed('stopping', { actual: { ...over, again: true }, insisted: true }),
      INPUTS.surveyed,
    ],
    [
      'whose run is over',
      changed('stopping', { actual: { ...over, cause: { tag: 'exited', wasReady: true } } }),
      INPUTS.surveyed,
    ],
    ['whose boundary rings', changed('scheduled'), rang],
    ['that begins', changed('waiting'), INPUTS.admit],
    ['that is started', changed('scheduled'), INPUTS.start],
  ])('a job with a changed expression uses the new one: %s', (_, service, input) => {
    const { spec, schedule, revised: left } = transition(service, input, CONTEXT).service;
    expect([spec, schedule.due, left]).toEqual([revised, soon, undefined]);
  });

  it('a job with a changed expression keeps the scheduled time of its current run', () => {
    expect(transition(changed('scheduled'), rang, CONTEXT).service.schedule.rung).toBe(NOW);
  });

  it('a job that becomes a service loses its pending scheduled time', () => {
    const service = changed('scheduled', { revised: specOf('web'), insisted: true });
    expect(transition(service, rang, CONTEXT).service.schedule).toEqual({ runs: [] });
  });

  it('a job keeps its old expression until a command or the end of its run', () => {
    const service = changed('up');
    expect(transition(service, INPUTS.start, CONTEXT).service).toMatchObject({
      revised,
      schedule: service.schedule,
    });
  });
});

describe('a service that becomes a job and is restarted by name', () => {
  it('a service that becomes a job by a restart has a scheduled time after that run', () => {
    const service: Service = {
      ...serviceIn('stopping'),
      actual: { ...STATES.stopping, exit: { tag: 'code', code: 0 }, again: true },
      insisted: true,
      revised: specOf('web', cron),
    };
    expect(transition(service, INPUTS.surveyed, CONTEXT).service).toMatchObject({
      actual: STATES.waiting,
      schedule: { due: instant(120_000) },
    });
  });
});
