import { describe, expect, it } from 'vitest';
import { caughtUp } from '../../../src/streams/cron/catch-up.ts';
import type { Schedule } from '../../../src/streams/domain/service/service.ts';
import { instant, ms, type Instant } from '../../../src/streams/domain/time.ts';
import { serviceIn } from '../../support/states.ts';

const MINUTE = 60_000;
const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;

describe('catching up', () => {
  const once = (schedule: Schedule, catchUp = true): ReturnType<typeof serviceIn> => ({
    ...serviceIn('scheduled', {
      ...cron,
      cron: { ...cron.cron, ...(catchUp && { catchUp: 'once' as const }) },
    }),
    schedule,
  });
  const caught = (service: ReturnType<typeof serviceIn>, at: Instant): Schedule =>
    caughtUp(service, service.spec, at).schedule;
  const missed: Schedule = { runs: [], due: instant(MINUTE) };

  it('a scheduled time that has passed is to be run', () => {
    expect(caught(once(missed), instant(MINUTE))).toEqual({
      ...missed,
      rung: MINUTE,
      rungBy: 'caught-up',
    });
  });

  it.each([
    ['that has not come', once(missed), MINUTE - 1],
    ['whose delay is not over', once({ ...missed, delay: ms(10) }), MINUTE + 9],
    ['that is waiting already', once({ ...missed, rung: instant(1) }), MINUTE],
    ['of a service without catch_up', once(missed, false), MINUTE],
    ['of a service without a next time', once({ runs: [] }), MINUTE],
  ])('nothing is caught up of a time %s', (_, service, at) => {
    expect(caught(service, instant(at))).toBe(service.schedule);
  });

  it.each([
    ['has other times', { expression: '5 * * * *' }],
    ['has another time zone', { timezone: 'Asia/Tokyo' }],
    ['has no schedule', undefined],
  ])('a scheduled time that has passed is not run if the new declaration %s', (_, other) => {
    const service = once(missed);
    const { cron: _cron, ...job } = service.spec;
    const latest = other ? { ...job, cron: { ...cron.cron, catchUp: 'once' as const, ...other } } : job;
    expect(caughtUp(service, latest, instant(MINUTE))).toBe(service);
  });
});
