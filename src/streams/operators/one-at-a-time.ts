// Runs tasks one at a time and in order, so that a write of an older state never overwrites a newer state.
import {
  AsyncSubject,
  catchError,
  concatMap,
  defer,
  EMPTY,
  type Observable,
  share,
  Subject,
  tap,
} from 'rxjs';

/** A function that starts its work when its result is subscribed to. */
export type Work<T, R> = (value: T) => Observable<R>;

interface Task<R> {
  readonly work$: Observable<R>;
  readonly outcome$: AsyncSubject<R>;
}

/** Runs a task and passes its results on to the subscriber of this task. */
function done<R>({ work$, outcome$ }: Task<R>): Observable<R> {
  const next = (value: R): void => outcome$.next(value);
  // eslint-disable-next-line rxjs-x/throw-error -- passed on, whatever it is
  const error = (failure: unknown): void => outcome$.error(failure);
  const complete = (): void => outcome$.complete();
  // `tap(outcome$)` would be wrong: `tap` has a callback `subscribe`, and would call the method of this name
  // of the subject.
  return work$.pipe(
    tap({ next, error, complete }),
    catchError(() => EMPTY),
  );
}

/**
 * Returns a function like `work` that performs one call at a time. A call is queued when its result is
 * subscribed to. Unsubscribing does not cancel the call. Only the last value of a call is emitted.
 */
export const oneAtATime = <T, R>(work: Work<T, R>): Work<T, R> => {
  const task$ = new Subject<Task<R>>();
  // This subscription never ends, because work can be queued at any time. It cannot fail.
  task$.pipe(concatMap(done)).subscribe();
  return (value) =>
    defer(() => {
      const outcome$ = new AsyncSubject<R>();
      task$.next({ work$: defer(() => work(value)), outcome$ });
      return outcome$;
    });
};

/**
 * Returns an observable that performs `work$` on subscription, but never twice at the same time. All
 * subscribers that come during a run share one run after it.
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
