// Runs tasks one at a time and in order, so that a write of an older state never replaces a newer one.
// `coalesced` also merges requests for the same work: one run serves all requests made before it began.
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

/** A function that returns work, which starts on subscription. */
export type Work<T, R> = (value: T) => Observable<R>;

interface Task<R> {
  readonly work$: Observable<R>;
  readonly outcome$: AsyncSubject<R>;
}

/** Runs a task and emits its results to its subscriber, which alone receives a failure. */
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
 * Returns a function that runs the same work one at a time: a task starts when the previous one has completed
 * or failed. Subscribing queues the task, and unsubscribing does not cancel it. Emits the last value of the
 * task when it completes.
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
 * Returns work that never runs twice at once. All subscribers during a run share the next run, so it always
 * sees the state at the time of their subscription or a newer state.
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
