import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { stampsBy } from '../../../src/streams/kernel/clock-set.ts';

const event: Event = { type: 'request-expired', request: requestId('r') };

/** Returns the stamped events for each of these readings of the wall clock and the uptime. */
const told = (looks: readonly (readonly [number, number])[]): readonly (readonly Event[])[] => {
  let present: readonly [number, number] = [0, 0];
  const stamps = stampsBy({ now: () => instant(present[0]), uptime: () => ms(present[1]) });
  return looks.map((look) => {
    present = look;
    const all = stamps(event);
    expect(all.every(({ at }) => at === look[0])).toBe(true);
    return all.map((stamped) => stamped.event);
  });
};
const set = (by: number): Event => ({ type: 'clock-set', by: ms(by) });
const looks = [
  [10_000, 0],
  [14_000, 4_000],
] as const;

describe('the time of an event', () => {
  it('an event has the wall time, without a clock change if the clocks agree', () => {
    expect(told([...looks, [15_900, 5_000]])).toEqual([[event], [event], [event]]);
  });

  it.each([3_600_000, -3_600_000, 1_000, -1_000])('an event comes after a clock change of %s ms', (by) => {
    expect(told([...looks, [15_000 + by, 5_000], [16_000 + by, 6_000]]).slice(2)).toEqual([
      [set(by), event],
      [event],
    ]);
  });

  it('an event comes after small clock changes once their sum is large', () => {
    const small = [700, 1_400].map((by) => [15_000 + by, 5_000] as const);
    expect(told([...looks, ...small]).slice(2)).toEqual([[event], [set(1_400), event]]);
  });

  it('an event has only the wall time if the clock has no uptime', () => {
    let now = 0;
    const stamps = stampsBy({ now: () => instant(now) });
    stamps(event);
    now = 3_600_000;
    expect(stamps(event)).toEqual([{ at: 3_600_000, event }]);
  });
});
