import { timer } from 'rxjs';
import { describe, it } from 'vitest';
import { timers } from '../../src/sources/clocks.ts';
import { projectId, runId, serviceId } from '../../src/streams/domain/ids.ts';
import { instant, seconds } from '../../src/streams/domain/time.ts';
import type { TimerWatch } from '../../src/streams/domain/watch.ts';
import { listen } from '../support/listen.ts';
import { rxTest } from '../support/rx-test.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const service = serviceId(projectId('shop'), 'web');
const run = runId(3);
const watchUntil = (due: number): TimerWatch => ({
  type: 'timer',
  key: 'backoff',
  service,
  run,
  timer: 'backoff',
  due: instant(due),
});
const e = { type: 'elapsed', service, run, timer: 'backoff' };

describe('timers', () => {
  it('a timer elapses once when it is due', () => {
    rxTest((rx) => {
      const { clock } = virtualClock(instant(1_000));
      rx.expectObservable(timers({ clock })(watchUntil(1_005))).toBe('-----(e|)', { e });
    });
  });

  it('an overdue timer elapses in the next turn', () => {
    rxTest((rx) => {
      const { clock } = virtualClock(instant(1_000));
      rx.expectObservable(timers({ clock })(watchUntil(400))).toBe('(e|)', { e });
    });
  });

  it('a timer keeps its length when the clock is set', () => {
    rxTest((rx) => {
      const { clock, set } = virtualClock(instant(1_000));
      listen(timer(2), () => set(seconds(3_600)));
      rx.expectObservable(timers({ clock })(watchUntil(1_005))).toBe('-----(e|)', { e });
    });
  });
});
