import { defer, finalize, type Observable } from 'rxjs';

/** `count` is the number of subscriptions that have not ended yet. */
export interface Tally {
  count: number;
}

/**
 * Returns the same stream; adds 1 to the tally on subscription and takes it off when the stream completes,
 * fails or is unsubscribed.
 */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
