// Coalesces requests for one work: each run serves all requests made before it began.
import { AsyncSubject, defer, share, type Observable } from 'rxjs';
import { oneAtATime } from './one-at-a-time.ts';

/**
 * Returns the same work, never run twice at once. Subscribers during a run share the next one, so the work
 * always sees what was there at their subscription.
 */
export function coalesced<R>(work$: Observable<R>): Observable<R> {
  let next$: Observable<R> | undefined;
  const begin = oneAtATime(() => {
    next$ = undefined;
    return work$;
  });
  return defer(() => {
    next$ ??= begin(undefined).pipe(
      share({
        connector: () => new AsyncSubject<R>(),
        resetOnComplete: false,
        resetOnError: false,
        resetOnRefCountZero: false,
      }),
    );
    return next$;
  });
}
