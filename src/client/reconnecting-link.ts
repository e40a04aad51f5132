// The connection of a program to a supervisor. A lost connection is opened again. Without subscribers the
// connection is closed.
import {
  catchError,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  finalize,
  from,
  fromEventPattern,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  ReplaySubject,
  scan,
  share,
  startWith,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import type { Client } from './client.ts';
import { type ClientFailure, isUnanswered } from './client-failure.ts';
import { applyView, type LiveModel, NOTHING, projectsOf } from './live-model.ts';
import type { Selection } from '../streams/domain/command.ts';
import { withGroups } from '../streams/views/group-document.ts';
import type { StatusDocument, SupervisorDocument } from '../streams/wire/documents/documents.ts';
import type { MetricsDocument } from '../streams/wire/documents/metrics-documents.ts';
import type { Hello, View } from '../streams/wire/protocol.ts';

/** A connection to the supervisor, or the failure that says why there is no connection. */
export type SupervisorLink =
  { readonly tag: 'up'; readonly client: Client } | { readonly tag: 'down'; readonly failure: ClientFailure };

/** The time between two attempts to connect, ms, unless the caller sets another. */
const AGAIN_MS = 250;

const down = (failure: ClientFailure): SupervisorLink => ({ tag: 'down', failure });

function untilLost(client: Client): Observable<SupervisorLink> {
  return concat(
    of<SupervisorLink>({ tag: 'up', client }),
    from(client.ended).pipe(concatMap((failure) => (failure === undefined ? EMPTY : of(down(failure))))),
  ).pipe(finalize(() => client.close()));
}

const isSameLoss = (one: SupervisorLink, other: SupervisorLink): boolean =>
  one.tag === 'down' && other.tag === 'down' && one.failure.message === other.failure.message;

/**
 * Emits the failure as the loss of a connection. Throws an error that a new attempt cannot repair, such as
 * that another user owns the socket.
 */
function lossIn(thrown: unknown): Observable<SupervisorLink> {
  if (!isUnanswered(thrown)) throw thrown;
  return of(down(thrown));
}

/**
 * Emits each connection and each loss of a connection. All subscribers share one connection, which is closed
 * when the last subscription ends. `open` connects, and rejects with ERR0205 or ERR0206 if no supervisor
 * answers.
 */
export function links(open: () => Promise<Client>, again = AGAIN_MS): Observable<SupervisorLink> {
  return defer(open).pipe(
    switchMap(untilLost),
    catchError(lossIn),
    repeat({ delay: () => timer(again) }),
    distinctUntilChanged(isSameLoss),
    share({ connector: () => new ReplaySubject(1) }),
  );
}

/** Resolves to the answer to one call. If there is no connection, rejects with the reason. */
export const askOn = <R>(
  link$: Observable<SupervisorLink>,
  call: (client: Client) => Promise<R>,
): Promise<R> => {
  const answer$ = link$.pipe(
    concatMap((link) => (link.tag === 'up' ? call(link.client) : throwError(() => link.failure))),
    take(1),
  );
  return new Promise((resolve, reject) => answer$.subscribe({ next: resolve, error: reject }));
};

/**
 * Emits the values of `answer$`. Completes without an error if the connection is lost, because the stream of
 * links reports the reason.
 */
export function whileAnswered<T>(answer$: Observable<T>): Observable<T> {
  return answer$.pipe(
    catchError((thrown: unknown) => {
      if (!isUnanswered(thrown)) throw thrown;
      return EMPTY;
    }),
  );
}

/** Emits the supervisor's greeting, and after each upgrade the greeting of the new program. */
export function hellos(client: Client): Observable<Hello> {
  return fromEventPattern<Hello>(
    (listener) => client.onHello(listener),
    () => client.onHello(() => undefined),
  ).pipe(startWith(client.hello));
}

/** Emits the views of the selected services. The first view is complete, later views contain changes. */
export function views(client: Client, selection: Selection = {}): Observable<View> {
  const view$ = fromEventPattern<View>(
    (listener) => client.onView(listener),
    (_, remove: () => void) => remove(),
  );
  const asked$ = defer(() => client.call('watch', selection)).pipe(ignoreElements());
  return merge(view$, asked$);
}

interface Seen {
  readonly supervisor?: SupervisorDocument;
  readonly live: LiveModel;
  /** False until the first view has arrived. */
  readonly isComplete: boolean;
}

const statusOf = ({ supervisor, live, isComplete }: Seen): readonly StatusDocument[] =>
  supervisor === undefined || !isComplete
    ? []
    : [{ schema: 'sup.status/1', supervisor, projects: projectsOf(live).map(withGroups) }];

/** Emits the complete status of all services after each change, until the connection is lost. */
function watched(client: Client): Observable<StatusDocument> {
  const supervisor$ = hellos(client).pipe(
    exhaustMap(() => client.call('status', {})),
    map(({ supervisor }) => (seen: Seen): Seen => ({ ...seen, supervisor })),
  );
  const live$ = views(client).pipe(
    map((view) => (seen: Seen): Seen => ({ ...seen, live: applyView(seen.live, view), isComplete: true })),
  );
  return whileAnswered(
    merge(supervisor$, live$).pipe(
      scan((seen: Seen, change) => change(seen), { live: NOTHING, isComplete: false }),
      concatMap(statusOf),
    ),
  );
}

/**
 * Emits the complete status of all services, shared by all subscribers. While there is no connection,
 * `recorded` reads the status from the records.
 */
export function statuses(
  link$: Observable<SupervisorLink>,
  recorded: (loss: ClientFailure) => Promise<StatusDocument>,
): Observable<StatusDocument> {
  return link$.pipe(
    switchMap((link) => (link.tag === 'up' ? watched(link.client) : from(recorded(link.failure)))),
    share({ connector: () => new ReplaySubject(1) }),
  );
}

/** Emits the metrics of the supervisor and all services, once per `every` ms while there is a connection. */
export function metricsOf(link$: Observable<SupervisorLink>, every: number): Observable<MetricsDocument> {
  return link$.pipe(
    switchMap((link) =>
      link.tag === 'down'
        ? EMPTY
        : timer(0, every).pipe(exhaustMap(() => whileAnswered(defer(() => link.client.call('metrics', {}))))),
    ),
  );
}
