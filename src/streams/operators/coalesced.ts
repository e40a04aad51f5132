// A work that many ask for at once, and that serves all who asked before it began.
import { AsyncSubject, defer, share, type Observable } from 'rxjs';
import { oneAtATime } from './one-at-a-time.ts';

/**
 * The same work, never twice at once. Who subscribes while it is under way waits for the next one, together with all others
 * who came meanwhile: what was there when one asked is what the work found.
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
