import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/streams/domain/service/service.ts';
import { reboundTo, rescheduled } from '../../../src/streams/cron/next-run-time.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { BEGAN, NOW, serviceIn } from '../../support/states.ts';

const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const running: Schedule = { runs: [{ due: BEGAN, result: 'running', startedAt: BEGAN }] };

describe('rescheduled', () => {
  it('rescheduled finds the first scheduled time after the given time', () => {
    const service = { ...serviceIn('scheduled', cron), schedule: { ...running, due: BEGAN } };
    expect(rescheduled(service, NOW)).toEqual({ runs: running.runs, due: 120_000 });
  });

  it.each([undefined, { expression: '0 0 31 2 *', timezone: 'utc' }])(
    'rescheduled finds no scheduled time for %j',
    (given) => {
      const service = {
        ...serviceIn('scheduled', given && { cron: given }),
        schedule: { runs: [], due: BEGAN },
      };
      expect(rescheduled(service, NOW)).toEqual({ runs: [] });
    },
  );
});

const MINUTE = 60_000;

/** A job that runs every minute, with a jitter of up to 30 s. */
const jittered = (schedule: Schedule, jitter = 30_000): ReturnType<typeof serviceIn> => ({
  ...serviceIn('scheduled', { ...cron, cron: { ...cron.cron, jitter: ms(jitter) } }),
  schedule,
});

describe('the jitter of a schedule', () => {
  const delays = Array.from({ length: 50 }, (_, minute) => {
    const { due, delay = 0 } = rescheduled(jittered({ runs: [] }), instant(minute * MINUTE));
    return [due, delay];
  });

  it('the delay is up to the jitter, differs between times, and is the same if computed again', () => {
    expect(delays.map(([due]) => due)).toEqual(delays.map((_, minute) => (minute + 1) * MINUTE));
    expect(new Set(delays.map(([, delay]) => delay)).size).toBeGreaterThan(40);
    for (const [, delay] of delays) expect(delay).toBeLessThanOrEqual(30_000);
    expect(rescheduled(jittered({ runs: [] }), instant(1)).delay).toBe(delays[0]?.[1]);
  });

  it('a delay longer than the time between two runs ends before the next one', () => {
    const long = Array.from({ length: 50 }, (_, minute) =>
      rescheduled(jittered({ runs: [] }, 3_600_000), instant(minute * MINUTE)),
    );
    for (const { delay = 0 } of long) expect(delay).toBeLessThan(MINUTE);
  });

  const pending: Schedule = { runs: [], due: instant(MINUTE), delay: ms(20_000) };

  it.each([
    [MINUTE, MINUTE],
    [80_000 - 1, MINUTE],
    [80_000, 2 * MINUTE],
  ])('a time whose delay is not over at %i is kept: %i', (at, due) => {
    expect(rescheduled(jittered(pending), instant(at)).due).toBe(due);
  });

  it.each([
    [{ jitter: ms(10_000) }, pending],
    [{ expression: '30 * * * *' }, { due: 30 * MINUTE }],
    [{ timezone: 'Asia/Kolkata' }, { due: 2 * MINUTE }],
  ])(
    'a time whose delay is not over stays with another jitter, but not with other times: %j',
    (other, schedule) => {
      const before = jittered(pending);
      const spec = { ...before.spec, cron: { ...cron.cron, jitter: ms(30_000), ...other } };
      expect(reboundTo(before, { ...before, spec }, instant(70_000)).schedule).toMatchObject(schedule);
    },
  );

  it('a time that has not come gets a delay of the new jitter', () => {
    const before = jittered(pending);
    const { spec } = jittered(pending, 0);
    expect(reboundTo(before, { ...before, spec }, instant(MINUTE / 2)).schedule).toEqual({
      runs: [],
      due: MINUTE,
    });
  });
});
