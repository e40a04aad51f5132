// The messages between the dashboard's page and its server: JSON texts over one WebSocket. The page asks, and
// the server answers with the `id` of the question. The server also sends what has changed.
//
// The way in: the page takes the token from the fragment of its URL, removes it there, and sends it as the
// text of a POST to `SESSION_PATH`. The answer 204 sets the cookie, 401 means a wrong token, 429 too many
// attempts. Then it opens a WebSocket at `SOCKET_PATH`. Without the cookie that is refused with 401, and so
// is a plain GET of it, by which a page learns why it was refused. Each question gets one answer; `logs` gets
// any number of them, then `end` or `failed`. If the page ends a question, that gets no more answers.
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

/** `service` waits for `needs`. Both are ids. */
export interface Edge {
  readonly service: string;
  readonly needs: string;
  readonly condition: string;
  readonly required: boolean;
}

/**
 * Where the view comes from: a supervisor that runs, what was last recorded, or, while the connection is made
 * again, the view of before.
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

/** A moment of a lane without a change of its state, such as a step of a rollout. */
export interface Mark {
  readonly at: number;
  readonly kind: EventDocument['kind'];
  readonly text: string;
}

/** `service`: an id, or that of the lane of the supervisor (`lane-events.ts`). */
export interface Lane {
  readonly service: string;
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
}

/** What the page may change with `--allow-actions`. */
export type Action =
  | { readonly what: 'start' | 'stop' | 'restart'; readonly services: readonly string[] }
  /** `plan`: the hash of the plan that the page has shown. It is refused if the plan is now another. */
  | { readonly what: 'apply'; readonly plan: string }
  | { readonly what: 'scale'; readonly counts: Readonly<Record<string, number>> };

/** Which lines of logs. `lines`: the last ones, at most 5,000. */
export interface LogQuestion {
  readonly services: readonly string[];
  readonly lines: number;
  /** Only lines with this text, in upper or lower case. It is not a pattern: see `LONGEST_SEARCH`. */
  readonly search?: string;
  readonly follow: boolean;
}

/**
 * Characters of a search. The server looks through whole logs, where a pattern of the user could take hours;
 * a text takes no longer than reading.
 */
export const LONGEST_SEARCH = 500;

/** What the page sends. `id`: a number that the page has not used on this connection. */
export type Question = { readonly id: number } & (
  | { readonly ask: 'service'; readonly service: string; readonly window?: string }
  | { readonly ask: 'timeline'; readonly since: number; readonly services?: readonly string[] }
  | ({ readonly ask: 'logs' } & LogQuestion)
  /** Ends the question `of`, such as logs that are followed. */
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
      /** The time of the oldest stored event, if it is later than asked. */
      readonly cut?: number;
    }
  /** Sent repeatedly. `missed`: lines that were left out because the page read too slowly. */
  | { readonly to: 'logs'; readonly lines: readonly LogDocument[]; readonly missed: number }
  | { readonly to: 'end' }
  | { readonly to: 'plan'; readonly planned: PlanAnswer }
  | { readonly to: 'act'; readonly done: DoneDocument }
  | { readonly to: 'failed'; readonly error: ErrorDocument };

/** What the server sends without a question. */
export type PageNews =
  /** The first message. `host`: of this machine. `actions`: whether the page may change something. */
  | { readonly news: 'hello'; readonly version: string; readonly host: string; readonly actions: boolean }
  /** Everything: after `hello`, and again for a reader that was too slow for the changes. */
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
  /** What changed since the last `view` or `change`. Absent keys are unchanged. */
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
  /** Samples, once a second: for each id its processor use in percent of a core, and resident bytes. */
  | {
      readonly news: 'samples';
      readonly at: number;
      readonly of: Readonly<Record<string, readonly [cpu: number | null, rss: number | null]>>;
    };

export type FromServer = PageNews | ({ readonly id: number } & DashboardAnswer);
