import { defer, finalize, type Observable } from 'rxjs';

/** Counts subscriptions: `count` is the number of those that have not ended. */
export interface Tally {
  count: number;
}

/**
 * Returns the same stream, but counts its subscriptions: adds 1 to `count` on subscription, and subtracts 1
 * when the stream completes, fails or is unsubscribed.
 */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
