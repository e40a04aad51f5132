// The view that all pages share, and how news changes the view. A page gets only the rows that have changed.
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type {
  ServiceDocument,
  StatusDocument,
  SupervisorDocument,
} from '../../streams/wire/documents/documents.ts';
import type { Edge, PageNews, ServiceRow, ViewOrigin } from '../page-messages.ts';

/** The most events in a view. */
export const NEWEST_EVENTS = 200;

export interface SharedView {
  readonly origin: ViewOrigin;
  readonly supervisor: SupervisorDocument;
  readonly rows: ReadonlyMap<string, ServiceRow>;
  readonly edges: readonly Edge[];
  readonly events: readonly EventDocument[];
}

/**
 * A piece of news about the supervisor. A `status` without a document changes only the origin of the view.
 */
export type Learned =
  | { readonly tag: 'status'; readonly origin: ViewOrigin; readonly status?: StatusDocument }
  | { readonly tag: 'edges'; readonly edges: readonly Edge[] }
  | { readonly tag: 'events'; readonly events: readonly EventDocument[] };

type Change = Omit<Extract<PageNews, { readonly news: 'change' }>, 'news' | 'at'>;

interface ViewStep {
  readonly view: SharedView;
  /**
   * The keys of the view that have changed, with their new values. The object is empty if nothing has
   * changed.
   */
  readonly change: Change;
}

const NO_SUPERVISOR: SupervisorDocument = {
  ...{ running: false, pid: null, version: null, since: null, restarts: null, process_start: null },
  warnings: [],
};

export const NO_VIEW: SharedView = {
  ...{ origin: 'recorded', supervisor: NO_SUPERVISOR, rows: new Map(), edges: [], events: [] },
};

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Maps each row to the document from which it was made. The client returns the same object while a service is
 * unchanged, so comparing the objects is enough.
 */
const MADE_OF = new WeakMap<ServiceRow, ServiceDocument>();

interface Rows {
  readonly rows: ReadonlyMap<string, ServiceRow>;
  readonly changed: readonly ServiceRow[];
}

/** Returns the row without CPU and memory use: samples send these figures once a second. */
const withoutUsage = (row: ServiceRow): ServiceRow => ({ ...row, cpu_percent: null, rss_bytes: null });

/**
 * Returns the rows of a status. A row without a change, other than its CPU and memory use, stays the same
 * object.
 */
const rowsIn = ({ projects }: StatusDocument, before: SharedView['rows']): Rows => {
  const rows = new Map<string, ServiceRow>();
  const changed: ServiceRow[] = [];
  const add = (project: string, service: ServiceDocument): void => {
    const id = `${project}/${service.name}`;
    const old = before.get(id);
    if (old !== undefined && MADE_OF.get(old) === service) return void rows.set(id, old);
    const row = { ...service, id, project };
    const isSame = old !== undefined && isEqual(withoutUsage(old), withoutUsage(row));
    if (!isSame) changed.push(row);
    const kept = isSame ? old : row;
    MADE_OF.set(kept, service);
    rows.set(id, kept);
  };
  for (const { id, services } of projects) for (const service of services) add(id, service);
  return { rows, changed };
};

type StatusNews = Extract<Learned, { readonly tag: 'status' }>;

const withStatus = (view: SharedView, { origin, status }: StatusNews): ViewStep => {
  const moved = origin === view.origin ? {} : { origin };
  if (status === undefined) return { view: { ...view, origin }, change: moved };
  const { rows, changed } = rowsIn(status, view.rows);
  const gone = [...view.rows.keys()].filter((id) => !rows.has(id));
  const { supervisor } = status;
  return {
    view: { ...view, origin, supervisor, rows },
    change: {
      ...moved,
      ...(!isEqual(supervisor, view.supervisor) && { supervisor }),
      ...(changed.length > 0 && { rows: changed }),
      ...(gone.length > 0 && { gone }),
    },
  };
};

/** Returns the view after the news, and what changed in it. */
export const learn = (view: SharedView, news: Learned): ViewStep => {
  switch (news.tag) {
    case 'status':
      return withStatus(view, news);
    case 'edges': {
      const { edges } = news;
      return isEqual(edges, view.edges)
        ? { view, change: {} }
        : { view: { ...view, edges }, change: { edges } };
    }
    case 'events': {
      const events = [...view.events, ...news.events].slice(-NEWEST_EVENTS);
      return { view: { ...view, events }, change: news.events.length > 0 ? { events: news.events } : {} };
    }
  }
};
