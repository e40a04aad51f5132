// The only place that makes a TestScheduler: its comparison really fails, every story must expect something, and a
// story without an end fails instead of filling the memory.
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { expect } from 'vitest';

/** Turns of virtual time; more than any story here takes. */
const MOST_TURNS = 100_000;

/** Makes the scheduler throw when it does not come to an end. */
const limitTurns = (scheduler: TestScheduler): void => {
  let [frame, turns] = [scheduler.frame, 0];
  Object.defineProperty(scheduler, 'frame', {
    get: () => frame,
    set: (next: number) => {
      turns += 1;
      if (turns > MOST_TURNS)
        throw new Error('endless: end the expectation with "!", or the source with take()');
      frame = next;
    },
  });
};

/**
 * Runs a marble story in virtual time, where `asyncScheduler` is virtual too: one character is a millisecond, strings
 * are RxJS's own. Throws when what came out, or when it was subscribed, differs from what was expected.
 */
export const rxTest = (story: (helpers: RunHelpers) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
  limitTurns(scheduler);
  let expectations = 0;
  scheduler.run((helpers) => {
    const { expectObservable, expectSubscriptions } = helpers;
    story({
      ...helpers,
      expectObservable: (source$, unsubscription) => {
        expectations += 1;
        return expectObservable(source$, unsubscription);
      },
      expectSubscriptions: (logs) => {
        expectations += 1;
        return expectSubscriptions(logs);
      },
    });
  });
  if (expectations === 0) throw new Error('this story expects nothing');
};
