// Schedules in the time zone of this machine. These tests set `TZ`, which has an effect in a process, but not
// in a thread.
import { afterEach, describe, expect, it } from 'vitest';
import { nextDue } from '../../../src/streams/cron/next-run-time.ts';
import { instant } from '../../../src/streams/domain/time.ts';

const nextAfter = (expression: string, after: string): string => {
  const due = nextDue({ expression, timezone: 'local' }, instant(Date.parse(after)));
  return due === undefined ? 'never' : new Date(due).toISOString().replace('.000Z', 'Z');
};

describe('nextDue in the zone of this machine', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['Asia/Tokyo', '2026-03-28T17:30:00Z'],
  ])('nextDue without a zone follows %s if the machine uses it', (zone, due) => {
    process.env['TZ'] = zone;
    expect(nextAfter('30 2 * * *', '2026-03-28T12:00:00Z')).toBe(due);
    expect(nextAfter('30 * * * *', '2026-03-28T12:00:00Z')).toBe('2026-03-28T12:30:00Z');
  });
});
