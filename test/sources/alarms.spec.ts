import { take, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { alarms } from '../../src/sources/clocks.ts';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { instant, ms, seconds } from '../../src/streams/domain/time.ts';
import type { AlarmWatch } from '../../src/streams/domain/watch.ts';
import { listen } from '../support/listen.ts';
import { rxTest } from '../support/rx-test.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const service = serviceId(projectId('shop'), 'report');
const alarmAt = (due: number): AlarmWatch => ({ type: 'alarm', key: `${due}`, service, due: instant(due) });
const rang = (due: number) => ({ type: 'rang', service, due: instant(due) });
const stepped = { type: 'clock-stepped', service };
const MINUTE = 60_000;

describe('alarms', () => {
  it('ring once, when the clock shows their time', () => {
    rxTest((rx) => {
      const ports = virtualClock(instant(1_000));
      rx.expectObservable(alarms(ports)(alarmAt(1_005))).toBe('-----(r|)', { r: rang(1_005) });
    });
  });

  it('ring at once when their time is over', () => {
    rxTest((rx) => {
      const ports = virtualClock(instant(1_000));
      rx.expectObservable(alarms(ports)(alarmAt(999))).toBe('(r|)', { r: rang(999) });
    });
  });

  it('ring on the millisecond weeks ahead', () => {
    rxTest((rx) => {
      const due = 20 * 24 * 60 * MINUTE + 7;
      rx.expectObservable(alarms(virtualClock())(alarmAt(due))).toBe(`${due}ms (r|)`, { r: rang(due) });
    });
  });

  it('look at the clock once a minute', () => {
    let looks = 0;
    rxTest((rx) => {
      const { clock, uptime } = virtualClock();
      const counted = () => {
        looks += 1;
        return uptime();
      };
      const alarm$ = alarms({ clock, uptime: counted })(alarmAt(10 * MINUTE));
      rx.expectObservable(alarm$).toBe('600s (r|)', { r: rang(10 * MINUTE) });
    });
    expect(looks).toBe(12);
  });

  it('ring within a minute when the clock was set ahead over their time', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(seconds(3_600)));
      const due = 30 * MINUTE;
      rx.expectObservable(alarms(ports)(alarmAt(due))).toBe('120s (r|)', { r: rang(due) });
    });
  });

  it('tell once that the clock was set back, and ring when it shows their time', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(seconds(-600)));
      const due = 5 * MINUTE;
      const expected = '120s s 779999ms (r|)';
      rx.expectObservable(alarms(ports)(alarmAt(due))).toBe(expected, { s: stepped, r: rang(due) });
    });
  });

  it('tell of each time that the clock is set back', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000, 60_000).pipe(take(2)), () => ports.set(seconds(-10)));
      const alarm$ = alarms(ports)(alarmAt(60 * MINUTE));
      rx.expectObservable(alarm$, '^ 200s !').toBe('120s s 59999ms s', { s: stepped });
    });
  });

  it('take no notice of a clock that is a little slow', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(ms(-2_000)));
      rx.expectObservable(alarms(ports)(alarmAt(3 * MINUTE))).toBe('182s (r|)', { r: rang(3 * MINUTE) });
    });
  });
});
