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
  it('an alarm rings once when the clock shows its time', () => {
    rxTest((rx) => {
      const ports = virtualClock(instant(1_000));
      rx.expectObservable(alarms(ports)(alarmAt(1_005))).toBe('-----(r|)', { r: rang(1_005) });
    });
  });

  it('an alarm of the past rings at once', () => {
    rxTest((rx) => {
      const ports = virtualClock(instant(1_000));
      rx.expectObservable(alarms(ports)(alarmAt(999))).toBe('(r|)', { r: rang(999) });
    });
  });

  it('an alarm weeks ahead rings on the millisecond', () => {
    rxTest((rx) => {
      const due = 20 * 24 * 60 * MINUTE + 7;
      rx.expectObservable(alarms(virtualClock())(alarmAt(due))).toBe(`${due}ms (r|)`, { r: rang(due) });
    });
  });

  it('alarms check the clock once a minute', () => {
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

  it('an alarm rings within a minute if the clock was set ahead beyond its time', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(seconds(3_600)));
      const due = 30 * MINUTE;
      rx.expectObservable(alarms(ports)(alarmAt(due))).toBe('120s (r|)', { r: rang(due) });
    });
  });

  it('a clock that was set back is reported once, and the alarm rings at its time', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(seconds(-600)));
      const due = 5 * MINUTE;
      const expected = '120s s 779999ms (r|)';
      rx.expectObservable(alarms(ports)(alarmAt(due))).toBe(expected, { s: stepped, r: rang(due) });
    });
  });

  it('each time the clock is set back is reported', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000, 60_000).pipe(take(2)), () => ports.set(seconds(-10)));
      const alarm$ = alarms(ports)(alarmAt(60 * MINUTE));
      rx.expectObservable(alarm$, '^ 200s !').toBe('120s s 59999ms s', { s: stepped });
    });
  });

  it('a clock that is slightly slow is ignored', () => {
    rxTest((rx) => {
      const ports = virtualClock();
      listen(timer(90_000), () => ports.set(ms(-2_000)));
      rx.expectObservable(alarms(ports)(alarmAt(3 * MINUTE))).toBe('182s (r|)', { r: rang(3 * MINUTE) });
    });
  });
});
