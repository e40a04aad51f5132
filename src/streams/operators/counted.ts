import { defer, finalize, type Observable } from 'rxjs';

/** How many pieces of work are under way. */
export interface Tally {
  count: number;
}

/** In the tally from its subscription to its end, whatever that is. */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
