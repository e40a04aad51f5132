import { defer, finalize, type Observable } from 'rxjs';

export interface Tally {
  count: number;
}

/**
 * Returns a stream that emits the values of `work$`. `tally` counts the subscriptions to this stream that
 * have not ended.
 */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
