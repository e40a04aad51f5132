import { describe, expect, it } from 'vitest';
import {
  changeBetween,
  firstShown,
  furthestReading,
  offsetIn,
  zoneProblem,
} from '../../../src/streams/cron/zone.ts';

const HOUR = 3_600_000;
const SPRING = Date.parse('2026-03-29T01:00:00Z');

describe('zoneProblem', () => {
  it.each(['utc', 'UTC', 'local', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])(
    'zoneProblem accepts %s',
    (zone) => {
      expect(zoneProblem(zone)).toBeUndefined();
    },
  );

  it.each(['', 'Mars/Olympus', '+02:00', 'UTC+2', 'Europe/Berlin '])('zoneProblem refuses "%s"', (zone) => {
    expect(zoneProblem(zone)).toContain(`"${zone}" is not`);
  });
});

describe('offsetIn', () => {
  it.each([
    ['utc', 0],
    ['Europe/Berlin', 1],
    ['America/St_Johns', -3.5],
    ['Asia/Kathmandu', 5.75],
  ])('offsetIn is local time minus UTC in %s: %d h in winter', (zone, hours) => {
    expect(offsetIn(zone)(Date.parse('2026-01-01T00:00:00Z'))).toBe(hours * HOUR);
  });

  it('offsetIn changes with the clocks of the zone', () => {
    const offsetAt = offsetIn('Europe/Berlin');
    expect([offsetAt(SPRING - 1), offsetAt(SPRING)]).toEqual([HOUR, 2 * HOUR]);
  });

  it('offsetIn throws for an unknown zone', () => {
    expect(() => offsetIn('Mars/Olympus')).toThrow(RangeError);
  });
});

describe('changeBetween', () => {
  it('changeBetween finds the millisecond at which the clocks change', () => {
    expect(changeBetween(offsetIn('Europe/Berlin'), SPRING - 5 * HOUR, SPRING + HOUR)).toBe(SPRING);
  });
});

describe('firstShown', () => {
  it.each([
    ['a plain reading', '2026-06-01T12:00:00Z', '2026-06-01T10:00:00Z'],
    ['the last reading before a gap', '2026-03-29T01:59:59Z', '2026-03-29T00:59:59Z'],
    ['a reading in a gap', '2026-03-29T02:30:00Z', '2026-03-29T01:00:00Z'],
    ['the first reading after a gap', '2026-03-29T03:00:00Z', '2026-03-29T01:00:00Z'],
    ['a reading that comes twice', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
    ['the first reading after an hour that comes twice', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00Z'],
  ])('firstShown of %s', (_, reading, shown) => {
    expect(firstShown(Date.parse(reading), offsetIn('Europe/Berlin'))).toBe(Date.parse(shown));
  });
});

describe('furthestReading', () => {
  it.each([
    ['at a plain moment', '2026-06-01T10:00:00Z', '2026-06-01T12:00:00.000Z'],
    ['in the first pass of an hour', '2026-10-25T00:30:00Z', '2026-10-25T02:30:00.000Z'],
    ['in the second pass of an hour', '2026-10-25T01:10:00Z', '2026-10-25T02:59:59.999Z'],
    ['after both', '2026-10-25T02:00:00Z', '2026-10-25T03:00:00.000Z'],
  ])('furthestReading: %s', (_, at, reading) => {
    const found = furthestReading(Date.parse(at), offsetIn('Europe/Berlin'));
    expect(new Date(found).toISOString()).toBe(reading);
  });
});
