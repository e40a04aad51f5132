import { describe, it } from 'vitest';
import { deadlines } from '../../src/sources/clocks.ts';
import { requestId } from '../../src/streams/domain/ids.ts';
import { instant } from '../../src/streams/domain/time.ts';
import { rxTest } from '../support/rx-test.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const request = requestId('7');
const e = { type: 'request-expired', request };

describe('deadlines', () => {
  it.each([
    ['once, when they are due', 6, '-----(e|)'],
    ['at the next turn when they are overdue', -6, '(e|)'],
  ])('a deadline expires the request %s', (_, due, expected) => {
    rxTest((rx) => {
      const { clock } = virtualClock(instant(1));
      const deadline$ = deadlines({ clock })({
        type: 'deadline',
        key: 'deadline',
        request,
        due: instant(due),
      });
      rx.expectObservable(deadline$).toBe(expected, { e });
    });
  });
});
