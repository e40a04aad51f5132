// Watches the supervisor once for all pages, and turns each change into JSON text once for all of them.
import {
  auditTime,
  buffer,
  catchError,
  concatMap,
  connect,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  ReplaySubject,
  scan,
  share,
  switchMap,
  throttleTime,
  timer,
} from 'rxjs';
import type { Sup } from '../../client/api/sup-interface.ts';
import type { InspectedService, StatusDocument } from '../../streams/wire/documents/documents.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import type { Edge, PageNews } from '../page-messages.ts';
import type { SharedNews } from './reader-news.ts';
import { type Learned, learn, NEWEST_EVENTS, NO_VIEW, type SharedView } from './view-changes.ts';
import { isLive, withOrigin } from './view-origin.ts';

/** How long events are gathered before they are sent in one message, ms. */
const GATHER_MS = 50;
/**
 * How long the supervisor is still watched after the last page has disconnected, ms. A page that is reloaded
 * soon connects again.
 */
const LINGER_MS = 10_000;
/**
 * The time after which the dependencies are requested again, ms. They are also requested when the set of
 * services changes or a service is deployed.
 */
const EDGES_AGAIN_MS = 60_000;
const EDGES_MOST_OFTEN_MS = 1_000;

type Watched = Pick<Sup, 'status$' | 'events$' | 'events' | 'metrics$' | 'inspect'>;

function gathered<T>(value$: Observable<T>): Observable<readonly T[]> {
  return value$.pipe(connect((each$) => each$.pipe(buffer(each$.pipe(auditTime(GATHER_MS))))));
}

interface Joined {
  /** The new events that arrived before the stored events. Absent when the stored events have been read. */
  readonly waiting?: readonly EventDocument[];
  readonly out: readonly EventDocument[];
}

type Found = { readonly stored: readonly EventDocument[] } | { readonly fresh: EventDocument };

const join = ({ waiting }: Joined, found: Found): Joined => {
  if ('stored' in found) {
    const known = new Set(found.stored.map((event) => JSON.stringify(event)));
    return {
      out: [...found.stored, ...(waiting ?? []).filter((event) => !known.has(JSON.stringify(event)))],
    };
  }
  return waiting === undefined ? { out: [found.fresh] } : { waiting: [...waiting, found.fresh], out: [] };
};

/**
 * Emits the newest stored events, then new ones. An event that is stored and also arrives as new is emitted
 * once.
 */
function eventsOf({ events$, events }: Watched): Observable<Learned> {
  const found$ = merge(
    events$.pipe(map((fresh): Found => ({ fresh }))),
    defer(() => events({}, { last: NEWEST_EVENTS })).pipe(map((stored): Found => ({ stored }))),
  );
  const event$ = found$.pipe(
    scan(join, { waiting: [], out: [] }),
    concatMap(({ out }) => out),
  );
  return gathered(event$).pipe(map((events): Learned => ({ tag: 'events', events })));
}

const edgesOf = ({ project, name, depends_on: needs }: InspectedService): readonly Edge[] =>
  needs.map(({ service, condition, required }) => ({
    ...{ service: `${project}/${name}`, needs: `${project}/${service}`, condition, required },
  }));

/**
 * Returns a text from the names of the services and their deployments. When the text changes, the
 * dependencies may have changed.
 */
const declarations = ({ projects }: StatusDocument): string =>
  projects
    .flatMap(({ id, services }) =>
      services.map(
        ({ name, awaits_restart: awaits, deploy }) => `${id}/${name} ${awaits} ${deploy.at ?? ''}`,
      ),
    )
    .join('\n');

function edges(status$: Observable<StatusDocument>, inspect: Watched['inspect']): Observable<Learned> {
  return status$.pipe(
    filter(isLive),
    map(declarations),
    distinctUntilChanged(),
    throttleTime(EDGES_MOST_OFTEN_MS, undefined, { leading: true, trailing: true }),
    switchMap(() => timer(0, EDGES_AGAIN_MS)),
    // If the request fails, the connection is lost, and the next status reports this. The edges stay as they
    // are.
    concatMap(() => defer(() => inspect()).pipe(catchError(() => EMPTY))),
    map(({ services }): Learned => ({ tag: 'edges', edges: services.flatMap(edgesOf) })),
  );
}

type Samples = Extract<PageNews, { readonly news: 'samples' }>;

const samplesOf = ({ services }: MetricsDocument): Samples['of'] =>
  Object.fromEntries(
    services.map(({ project, service, cpu_percent: cpu, rss_bytes: rss }) => [
      `${project}/${service}`,
      [cpu, rss] as const,
    ]),
  );

type Input = Learned | { readonly tag: 'samples'; readonly of: Samples['of'] };

const worded = (news: PageNews): string => JSON.stringify(news);

/**
 * Returns a function that returns the view as JSON text. The text is made at the first call and then reused.
 */
const wording = ({ rows, ...view }: SharedView, at: number): (() => string) => {
  let made: string | undefined;
  return () => (made ??= worded({ news: 'view', at, ...view, rows: [...rows.values()] }));
};

/** The text of a first value that has a view but no message. It is not sent. */
const SILENCE = '';

const BEGIN: SharedNews = { seen: NO_VIEW, view: () => SILENCE, text: SILENCE };

const next =
  (now: () => number) =>
  (before: SharedNews, input: Input): SharedNews => {
    const at = now();
    if (input.tag === 'samples') return { ...before, text: worded({ news: 'samples', at, of: input.of }) };
    const { view: seen, change } = learn(before.seen, input);
    if (Object.keys(change).length === 0) return { ...before, text: SILENCE };
    return { seen, view: wording(seen, at), text: worded({ news: 'change', at, ...change }) };
  };

/**
 * True once a status is known. Without this check the first view would wrongly show that no services exist.
 */
const isReady = ({ seen }: SharedNews): boolean => seen.rows !== NO_VIEW.rows;

/**
 * Emits the messages for all pages. Each new subscriber gets the newest message at once. The supervisor is
 * watched while there are subscribers, and `LINGER_MS` longer.
 */
export function sharedNews(sup: Watched, now: () => number): Observable<SharedNews> {
  const status$ = sup.status$.pipe(share());
  const input$: Observable<Input> = merge(
    edges(status$, sup.inspect),
    eventsOf(sup),
    sup.metrics$.pipe(map((metrics): Input => ({ tag: 'samples', of: samplesOf(metrics) }))),
    withOrigin(status$),
  );
  return input$.pipe(
    scan(next(now), BEGIN),
    filter((news) => news.text !== SILENCE && isReady(news)),
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => timer(LINGER_MS) }),
  );
}
