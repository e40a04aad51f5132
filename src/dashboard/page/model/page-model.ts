// The data of the page: one value, computed from the server's messages, the state of the connection and the
// clock.
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import type { SupervisorDocument } from '../../../streams/wire/documents/documents.ts';
import type { Edge, FromServer, PageNews, ServiceRow, ViewOrigin } from '../../page-messages.ts';
import { laneOfEvent } from '../../lane-events.ts';
import { extended, type Lanes, lanesById } from '../timeline/lanes.ts';

/**
 * The state of the connection. `refused`: the server knows no session of this browser, so the user needs a
 * new link.
 */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused';

/** The CPU and memory use of a service in the last minutes, oldest first; `null` where it is not known. */
export interface RecentUse {
  readonly cpu: readonly (number | null)[];
  readonly rss: readonly (number | null)[];
}

type Hello = Extract<PageNews, { news: 'hello' }>;

export interface PageModel {
  readonly link: LinkState;
  readonly hello: Hello | undefined;
  /** How often the page has connected. When this number grows, open questions must be sent again. */
  readonly connections: number;
  readonly origin: ViewOrigin;
  readonly supervisor: SupervisorDocument | undefined;
  readonly rows: ReadonlyMap<string, ServiceRow>;
  readonly edges: readonly Edge[];
  /** The newest events, oldest first. */
  readonly events: readonly EventDocument[];
  /** The newest change of state or health of each service, by its id. */
  readonly changes: ReadonlyMap<string, EventDocument>;
  readonly trends: ReadonlyMap<string, RecentUse>;
  readonly lanes: Lanes;
  /**
   * The time of the oldest stored event, ms since 1970. It is set only if the page asked for earlier events.
   */
  readonly cut: number | undefined;
  /** The current time, ms since 1970. */
  readonly now: number;
}

export type PageEvent =
  | FromServer
  | { readonly page: 'link'; readonly link: LinkState }
  | { readonly page: 'tick'; readonly now: number };

export const EMPTY_PAGE: PageModel = {
  link: 'connecting',
  hello: undefined,
  connections: 0,
  origin: 'connected',
  supervisor: undefined,
  rows: new Map(),
  edges: [],
  events: [],
  changes: new Map(),
  trends: new Map(),
  lanes: new Map(),
  cut: undefined,
  now: 0,
};

const MOST_EVENTS = 500;
/** How many samples a sparkline shows. A sample is taken once a second. */
export const MOST_SAMPLES = 120;

const isChange = ({ kind, from, to }: EventDocument): boolean =>
  kind === 'health' || (kind === 'state' && from !== to);

const withEvents = (model: PageModel, events: readonly EventDocument[] = []): PageModel => {
  if (events.length === 0) return model;
  const changes = new Map(model.changes);
  for (const event of events) {
    const id = laneOfEvent(event);
    if (id !== undefined && isChange(event)) changes.set(id, event);
  }
  return {
    ...model,
    changes,
    events: [...model.events, ...events].slice(-MOST_EVENTS),
    lanes: extended(model.lanes, events),
  };
};

const rowsById = (rows: readonly ServiceRow[]): ReadonlyMap<string, ServiceRow> =>
  new Map(rows.map((row) => [row.id, row]));

const onView = (model: PageModel, view: Extract<PageNews, { news: 'view' }>): PageModel => {
  const { at, origin, supervisor, edges, events } = view;
  const rows = rowsById(view.rows);
  const fresh = { ...model, now: at, origin, supervisor, edges, rows, events: [], changes: new Map() };
  return { ...withEvents(fresh, events), lanes: model.lanes };
};

const onChange = (model: PageModel, change: Extract<PageNews, { news: 'change' }>): PageModel => {
  const { at, rows = [], gone = [], events } = change;
  const { origin = model.origin, supervisor = model.supervisor, edges = model.edges } = change;
  const kept = rows.length + gone.length === 0 ? model.rows : changedRows(model.rows, rows, gone);
  return withEvents(
    { ...model, now: Math.max(at, model.now), origin, supervisor, edges, rows: kept },
    events,
  );
};

const changedRows = (
  before: PageModel['rows'],
  rows: readonly ServiceRow[],
  gone: readonly string[],
): PageModel['rows'] => {
  const after = new Map(before);
  for (const row of rows) after.set(row.id, row);
  for (const id of gone) after.delete(id);
  return after;
};

const onSamples = (model: PageModel, { of }: Extract<PageNews, { news: 'samples' }>): PageModel => ({
  ...model,
  trends: new Map(
    Object.entries(of).map(([id, [cpu, rss]]) => {
      const before = model.trends.get(id);
      const longer = (values: RecentUse['cpu'] = [], value: number | null): RecentUse['cpu'] => [
        ...values.slice(1 - MOST_SAMPLES),
        value,
      ];
      return [id, { cpu: longer(before?.cpu, cpu), rss: longer(before?.rss, rss) }];
    }),
  ),
});

const onNews = (model: PageModel, message: PageNews): PageModel => {
  switch (message.news) {
    case 'hello':
      return { ...model, hello: message, link: 'open', connections: model.connections + 1 };
    case 'view':
      return onView(model, message);
    case 'change':
      return onChange(model, message);
    case 'samples':
      return onSamples(model, message);
  }
};

/**
 * Returns the model after the event. The server's answers to questions of the page do not change the model,
 * except the answer with the lanes of the timeline.
 */
export const nextPage = (model: PageModel, event: PageEvent): PageModel => {
  if ('news' in event) return onNews(model, event);
  if ('to' in event)
    return event.to === 'timeline' ? { ...model, lanes: lanesById(event.lanes), cut: event.cut } : model;
  switch (event.page) {
    case 'link':
      return { ...model, link: event.link };
    case 'tick':
      return { ...model, now: event.now };
  }
};
