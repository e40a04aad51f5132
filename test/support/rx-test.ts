// The only place that makes a TestScheduler: its comparison really fails, every story must expect something, and a
// stream without an end fails instead of filling the memory.
import { tap, type Observable } from 'rxjs';
import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { expect } from 'vitest';

/** More than any story here tells. */
const MOST_NOTIFICATIONS = 10_000;

function ended<T>(source$: Observable<T>): Observable<T> {
  let count = 0;
  return source$.pipe(
    tap(() => {
      count += 1;
      if (count > MOST_NOTIFICATIONS) throw new Error('endless: end the expectation with "!"');
    }),
  );
}

/**
 * Runs a marble story in virtual time, where `asyncScheduler` is virtual too: one character is a millisecond, strings
 * are RxJS's own. Throws when what came out, or when it was subscribed, differs from what was expected.
 */
export const rxTest = (story: (helpers: RunHelpers) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
  let expectations = 0;
  scheduler.run((helpers) => {
    const { expectObservable, expectSubscriptions } = helpers;
    story({
      ...helpers,
      expectObservable: (source$, unsubscription) => {
        expectations += 1;
        return expectObservable(ended(source$), unsubscription);
      },
      expectSubscriptions: (logs) => {
        expectations += 1;
        return expectSubscriptions(logs);
      },
    });
  });
  if (expectations === 0) throw new Error('this story expects nothing');
};
