import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../src/streams/domain/service/service.ts';
import { rescheduled } from '../../../src/streams/cron/reschedule.ts';
import { BEGAN, NOW, serviceIn } from '../../support/states.ts';

const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
const running: Schedule = { runs: [{ due: BEGAN, result: 'running', startedAt: BEGAN }] };

describe('rescheduled', () => {
  it('rescheduled finds the first boundary after the given time', () => {
    const service = { ...serviceIn('scheduled', cron), schedule: { ...running, due: BEGAN } };
    expect(rescheduled(service, NOW)).toEqual({ runs: running.runs, due: 120_000 });
  });

  it.each([undefined, { expression: '0 0 31 2 *', timezone: 'utc' }])(
    'rescheduled finds no boundary for %j',
    (given) => {
      const service = {
        ...serviceIn('scheduled', given && { cron: given }),
        schedule: { runs: [], due: BEGAN },
      };
      expect(rescheduled(service, NOW)).toEqual({ runs: [] });
    },
  );
});
