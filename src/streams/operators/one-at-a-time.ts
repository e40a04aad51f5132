// Serialises work in order: an older state must not replace a newer one. Requests for one work can be
// coalesced: each run serves all requests made before it began.
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

/** Work that starts on subscription. */
export type Work<T, R> = (value: T) => Observable<R>;

interface Task<R> {
  readonly work$: Observable<R>;
  readonly outcome$: AsyncSubject<R>;
}

/** Runs a task and emits its outcome; a failure reaches only the subscriber of that task. */
function done<R>({ work$, outcome$ }: Task<R>): Observable<R> {
  const next = (value: R): void => outcome$.next(value);
  // eslint-disable-next-line rxjs-x/throw-error -- passed on, whatever it is
  const error = (failure: unknown): void => outcome$.error(failure);
  const complete = (): void => outcome$.complete();
  // Not `tap(outcome$)`: a subject has a method `subscribe`, which `tap` would take for its hook.
  return work$.pipe(
    tap({ next, error, complete }),
    catchError(() => EMPTY),
  );
}

/**
 * Returns the same work, serialised: it starts when the previous one is over, however that ended. Subscribing
 * queues it, and unsubscribing does not cancel it. Emits the last value of the work when it completes.
 */
export const oneAtATime = <T, R>(work: Work<T, R>): Work<T, R> => {
  const task$ = new Subject<Task<R>>();
  // Stays subscribed as long as work can be queued. It cannot fail.
  task$.pipe(concatMap(done)).subscribe();
  return (value) =>
    defer(() => {
      const outcome$ = new AsyncSubject<R>();
      task$.next({ work$: defer(() => work(value)), outcome$ });
      return outcome$;
    });
};

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
