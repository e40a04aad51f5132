import { defer, finalize, type Observable } from 'rxjs';

/** The number of works under way. */
export interface Tally {
  count: number;
}

/** Counts the work in the tally from subscription to its end, however it ends. */
export function counted<T>(tally: Tally, work$: Observable<T>): Observable<T> {
  return defer(() => {
    tally.count += 1;
    return work$.pipe(finalize(() => (tally.count -= 1)));
  });
}
