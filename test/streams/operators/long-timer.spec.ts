import { asyncScheduler, type SchedulerAction, type SchedulerLike } from 'rxjs';
import { describe, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { after } from '../../../src/streams/operators/long-timer.ts';
import { rxTest } from '../../support/rx-test.ts';

/**
 * Virtual time with the limit of Node's timers: a delay that does not fit into 31 bits becomes one
 * millisecond.
 */
const machineTime: SchedulerLike = {
  now: () => asyncScheduler.now(),
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
    asyncScheduler.schedule(work, delay > 2 ** 31 - 1 ? 1 : delay, state),
};

describe('after', () => {
  it('after emits once, after the given time, and completes', () => {
    rxTest((rx) => {
      rx.expectObservable(after(ms(3))).toBe('---(0|)', { 0: 0 });
    });
  });

  it('after emits without a delay if the time is already over', () => {
    rxTest((rx) => {
      rx.expectObservable(after(ms(-5))).toBe('(0|)', { 0: 0 });
    });
  });

  it('after supports 2^31 milliseconds and more, which setTimeout does not', () => {
    rxTest((rx) => {
      rx.expectObservable(after(ms(2 ** 31 - 1), machineTime)).toBe('2147483647ms (0|)', { 0: 0 });
      rx.expectObservable(after(ms(2 ** 31), machineTime)).toBe('2147483648ms (0|)', { 0: 0 });
      rx.expectObservable(after(ms(5 * 2 ** 31), machineTime)).toBe('10737418240ms (0|)', { 0: 0 });
    });
  });

  it('after can be unsubscribed at any time, also in its second timer', () => {
    rxTest((rx) => {
      rx.expectObservable(after(ms(2 ** 31 + 10), machineTime), '^ 2147483652ms !').toBe('');
    });
  });
});
