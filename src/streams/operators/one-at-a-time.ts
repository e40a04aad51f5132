// Works that must not overtake each other: an older state must not replace a newer one.
import { AsyncSubject, catchError, concatMap, defer, EMPTY, Subject, tap, type Observable } from 'rxjs';

/** Something that is done when it is subscribed to. */
export type Work<T, R> = (value: T) => Observable<R>;

interface Task<R> {
  readonly work$: Observable<R>;
  readonly outcome$: AsyncSubject<R>;
}

/** Does the work and tells its outcome; its failure is told to who asked, and ends nothing else. */
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
 * The same work, begun when the one before it is over, however that ended. It is asked for by subscribing, and carried
 * out from then on even when nobody listens any more. Emits the last value of the work when it completes.
 */
export const oneAtATime = <T, R>(work: Work<T, R>): Work<T, R> => {
  const task$ = new Subject<Task<R>>();
  // For as long as the work may be asked for. Nothing fails here.
  task$.pipe(concatMap(done)).subscribe();
  return (value) =>
    defer(() => {
      const outcome$ = new AsyncSubject<R>();
      task$.next({ work$: defer(() => work(value)), outcome$ });
      return outcome$;
    });
};
