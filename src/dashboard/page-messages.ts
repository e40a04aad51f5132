// The messages between the dashboard's page and its server: JSON texts over one WebSocket. The page asks
// questions, and the server answers with the `id` of the question. The server also sends changes without a
// question.
//
// How a page connects: the page takes the token from the fragment of its URL, removes it there, and sends it
// as the text of a POST to `SESSION_PATH`. The answer 204 sets the cookie, 401 means a wrong token, 429 too
// many attempts. Then the page opens a WebSocket at `SOCKET_PATH`. Without the cookie the server refuses the
// WebSocket with 401. A script cannot see the status of a refused WebSocket. So the page then sends a plain
// GET to `SOCKET_PATH`, which the server also refuses with 401.
//
// Each question gets one answer, except `logs`: that question gets any number of answers, then `end` or
// `failed`. If the page ends a question, the question gets no more answers.
import type { ErrorDocument, LogDocument } from '../streams/wire/documents/basic-documents.ts';
import type { DoneDocument, PlanDocument } from '../streams/wire/documents/command-documents.ts';
import type {
  InspectedService,
  ServiceDocument,
  StateWord,
  SupervisorDocument,
} from '../streams/wire/documents/documents.ts';
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import type { WhyService } from '../streams/wire/documents/why-document.ts';

export const SESSION_PATH = '/session';
export const SOCKET_PATH = '/socket';

/** A service of the view. `id` is `project/service`. */
export interface ServiceRow extends ServiceDocument {
  readonly id: string;
  readonly project: string;
}

/** A dependency: the service `service` waits for the service `needs`. Both are ids. */
export interface Edge {
  readonly service: string;
  readonly needs: string;
  readonly condition: string;
  readonly required: boolean;
}

/**
 * Where the view comes from. `connected`: from a running supervisor. `recorded`: from files, because no
 * supervisor answers. `reconnecting`: the last view of the supervisor, kept while the server connects again.
 */
export type ViewOrigin = 'connected' | 'recorded' | 'reconnecting';

/** A state of a service, from `at` until the next span of its lane. Times are ms since 1970. */
export interface Span {
  readonly at: number;
  readonly state: StateWord;
  readonly cause: string;
  readonly reason: string | null;
  readonly run: number | null;
}

/** An event on a lane that is not a change of state, such as a step of a rollout. */
export interface Mark {
  readonly at: number;
  readonly kind: EventDocument['kind'];
  readonly text: string;
}

/**
 * The history of a service. `service`: the id of the service, or `SUPERVISOR_LANE` for the supervisor itself.
 */
export interface Lane {
  readonly service: string;
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
}

/** A change that the page may request if the dashboard was started with `--allow-actions`. */
export type Action =
  | { readonly what: 'start' | 'stop' | 'restart'; readonly services: readonly string[] }
  /**
   * `plan`: the hash of the plan that the page has shown. The action is refused if the plan has changed
   * since.
   */
  | { readonly what: 'apply'; readonly plan: string }
  | { readonly what: 'scale'; readonly counts: Readonly<Record<string, number>> };

/** Which log lines the page asks for. `lines`: how many of the last lines, at most 5,000. */
export interface LogQuestion {
  readonly services: readonly string[];
  readonly lines: number;
  /** Only lines that contain this text, ignoring case. It is not a pattern: see `LONGEST_SEARCH`. */
  readonly search?: string;
  readonly follow: boolean;
}

/**
 * The most characters of a search. The search is a plain text and not a pattern, because the server searches
 * whole logs. A badly chosen pattern could take hours, but a text takes no longer than reading the logs.
 */
export const LONGEST_SEARCH = 500;

/** A message of the page. `id`: a number that the page has not yet used on this connection. */
export type Question = { readonly id: number } & (
  | { readonly ask: 'service'; readonly service: string; readonly window?: string }
  | { readonly ask: 'timeline'; readonly since: number; readonly services?: readonly string[] }
  | ({ readonly ask: 'logs' } & LogQuestion)
  /** Ends the question with the id `of`. A page sends it to stop following logs. */
  | { readonly ask: 'end'; readonly of: number }
  | { readonly ask: 'plan' }
  | { readonly ask: 'act'; readonly action: Action }
);

/** The account of one service: `why`, `inspect` with samples, and the configuration with masked secrets. */
export interface ServiceAnswer {
  readonly why: WhyService;
  readonly inspect: InspectedService;
  readonly config: string | null;
}

export interface PlanAnswer {
  readonly plan: PlanDocument;
  readonly hash: string;
}

export type DashboardAnswer =
  | { readonly to: 'service'; readonly account: ServiceAnswer }
  | {
      readonly to: 'timeline';
      readonly lanes: readonly Lane[];
      /** The time of the oldest stored event, if it is later than the requested `since`. */
      readonly cut?: number;
    }
  /** Sent repeatedly. `missed`: lines that were left out because the page read too slowly. */
  | { readonly to: 'logs'; readonly lines: readonly LogDocument[]; readonly missed: number }
  | { readonly to: 'end' }
  | { readonly to: 'plan'; readonly planned: PlanAnswer }
  | { readonly to: 'act'; readonly done: DoneDocument }
  | { readonly to: 'failed'; readonly error: ErrorDocument };

/** A message that the server sends without a question. */
export type PageNews =
  /** The first message. `host`: the name of the machine. `actions`: true if the page may change services. */
  | { readonly news: 'hello'; readonly version: string; readonly host: string; readonly actions: boolean }
  /** The whole view: sent after `hello`, and again to a page that was too slow to receive the changes. */
  | {
      readonly news: 'view';
      readonly at: number;
      readonly origin: ViewOrigin;
      readonly supervisor: SupervisorDocument;
      readonly rows: readonly ServiceRow[];
      readonly edges: readonly Edge[];
      /** The newest events, oldest first. */
      readonly events: readonly EventDocument[];
    }
  /** The changes since the last `view` or `change`. Absent keys are unchanged. */
  | {
      readonly news: 'change';
      readonly at: number;
      readonly origin?: ViewOrigin;
      readonly supervisor?: SupervisorDocument;
      readonly rows?: readonly ServiceRow[];
      readonly gone?: readonly string[];
      readonly edges?: readonly Edge[];
      readonly events?: readonly EventDocument[];
    }
  /**
   * Sent once a second. `of`: the samples of each service by its id. `cpu` is in percent of one core, and
   * `rss` is the resident memory in bytes.
   */
  | {
      readonly news: 'samples';
      readonly at: number;
      readonly of: Readonly<Record<string, readonly [cpu: number | null, rss: number | null]>>;
    };

export type FromServer = PageNews | ({ readonly id: number } & DashboardAnswer);
