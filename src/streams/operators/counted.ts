import { defer, finalize, type Observable } from 'rxjs';

export interface Tally {
  count: number;
}

/** Returns the same stream and counts its subscriptions that have not ended. */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
