// What holds of a scheduled service whatever happens to it.
import { describe, expect, it } from 'vitest';
import type { Service, Tag } from '../../../src/streams/domain/service/service.ts';
import type { Input } from '../../../src/streams/service/input.ts';
import { transition } from '../../../src/streams/service/machine.ts';
import { BEGAN, CONTEXT, INPUTS, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';
import { idOf } from '../../support/spec.ts';

const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const news = { service: idOf('web'), run: RUN } as const;
const over = (purpose: 'skip' | 'pre_start', code: number): Input => ({
  ...{ ...news, type: 'command-ended', purpose },
  outcome: { tag: 'ended', status: { tag: 'code', code }, evidence: [] },
});
const late: Input = { ...news, type: 'command-ended', purpose: 'skip', outcome: { tag: 'over-budget' } };
const inputs = [...Object.values<Input>(INPUTS), over('pre_start', 0), over('pre_start', 1), late];

/** Asked for by name, and with a run under way. */
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
    'in state %s that comes to wait for its boundary is not asked for by name any more',
    (tag) => {
      const waiting = outcomes(tag).filter(({ actual }) => actual.tag === 'scheduled');
      expect(waiting.filter(({ insisted }) => insisted)).toEqual([]);
    },
  );

  it.each<Tag>(['preparing', 'spawning', 'stopping'])(
    'has no run under way once it has left %s for a state without one',
    (tag) => {
      const left = outcomes(tag).filter(({ actual }) => !WITH_A_RUN.includes(actual.tag));
      expect(left).not.toEqual([]);
      const results = left.flatMap(({ schedule }) => schedule.runs.map(({ result }) => result));
      expect(results).not.toContain('running');
    },
  );

  it.each([INPUTS.stop, INPUTS.restart, INPUTS.fell])(
    'that is cut off while it prepares was stopped: %j',
    (input) => {
      const [job = serviceIn('preparing')] = jobs('preparing');
      expect(transition(job, input, CONTEXT).service.schedule.runs).toEqual([
        { due: BEGAN, result: 'stopped', startedAt: BEGAN, endedAt: CONTEXT.at },
      ]);
    },
  );
});
