// The protocol of the control socket: JSON-RPC 2.0 over a WebSocket. Types of requests, answers and
// notifications.
import type { Command, Done, Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { Bucket } from '../metrics/bucket.ts';
import type {
  ErrorDocument,
  InspectDocument,
  MetricsDocument,
  ProjectDocument,
  StatusDocument,
} from './documents/documents.ts';

/**
 * The protocol version. It is incremented for a change that an older client or supervisor would
 * misunderstand.
 */
export const PROTOCOL = 3;
/** The largest frame the supervisor accepts, in bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/**
 * The largest frame a client accepts, in bytes: large enough for `inspect` of thousands of services with
 * their histories.
 */
export const MAX_ANSWER = 128 * 1024 * 1024;
/**
 * The WebSocket close code for a client that is refused because the supervisor has its maximum of clients.
 */
export const TRY_AGAIN_LATER = 1013;

/** The first message, which the supervisor sends as soon as a client connects. */
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly since: string;
  /** The guardian of the supervisor; absent if there is none. */
  readonly guardian?: Guardian;
  /** Present after a failed upgrade: the message that the old program continues. */
  readonly resumed?: string;
  /** Why the supervisor cannot call the C library; absent if it can. */
  readonly no_calls?: string;
}

/** The process that restarts the supervisor when it is killed or crashes. */
export interface Guardian {
  readonly pid: number;
  /** How often the guardian has restarted the supervisor. */
  readonly restarts: number;
}

/** Requests the samples of the selected services since an instant, as far as they are in memory. */
export interface SamplesQuery {
  readonly selection: Selection;
  readonly since: Instant;
}

export interface SamplesAnswer {
  readonly now: Instant;
  /** The directory with older samples on disk; `null` if there is none. */
  readonly spillover: string | null;
  readonly services: readonly { readonly id: ServiceId; readonly points: readonly Bucket[] }[];
}

/** What an upgrade must run: the absolute paths of Node and of the supervisor program. */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** The warnings about the upgrade; absent in the answer of an older program. */
  readonly warnings?: readonly string[];
}

/**
 * The kinds of files that unregistered projects leave. `logs`: the output of services. `state`: their
 * recorded states and FIFOs.
 */
export type LeftoverKind = 'logs' | 'state';

/** The projects and kinds of files to purge; without `projects`, all projects that are not registered. */
export interface PurgeQuery {
  readonly projects?: readonly string[];
  readonly kinds: readonly LeftoverKind[];
}

/** A file or directory left by a project that is not registered. */
export interface Leftover {
  readonly project: string;
  readonly kind: LeftoverKind;
  readonly path: string;
}

/**
 * Every method with the types of its parameters and its result. `command` is answered when the command is
 * finished.
 */
export interface Methods {
  readonly command: { readonly params: Command; readonly result: Done };
  readonly status: { readonly params: Selection; readonly result: StatusDocument };
  readonly inspect: { readonly params: Selection; readonly result: InspectDocument };
  readonly samples: { readonly params: SamplesQuery; readonly result: SamplesAnswer };
  /** Returns the metrics for monitoring systems. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /**
   * Returns the variables that services inherit from the supervisor. They are also the fallback for `${VAR}`.
   */
  readonly environment: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, string>>;
  };
  /**
   * Replaces the program that runs in the supervisor's process. The form of this request must never change,
   * because newer clients send it to older supervisors.
   */
  readonly upgrade: { readonly params: UpgradeOrder; readonly result: Upgraded };
  /** Moves the leftover files of unregistered projects aside; the client then removes them. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /**
   * Subscribes to `view` notifications. The first has all selected services (`full`), the following only
   * those that changed.
   */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/**
 * The live view: first a full view, then changes. In a change, a project contains only the services that
 * changed.
 */
export interface View {
  readonly full: boolean;
  readonly projects: readonly ProjectDocument[];
  /** The removed services, as `project/service`. */
  readonly gone: readonly string[];
}

interface Notifications {
  readonly hello: Hello;
  readonly view: View;
  /** The progress of an upgrade, sent to the client that requested it. */
  readonly progress: { readonly text: string };
}

interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
}

/**
 * `code` is the number that JSON-RPC requires; `data` is the error for the user; `warnings` are the same as
 * in a successful answer.
 */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: ErrorDocument;
  readonly warnings?: readonly string[];
}

export type RpcMessage =
  | RpcRequest
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: number | null; readonly error: RpcError }
  | { readonly jsonrpc: '2.0'; readonly method: keyof Notifications; readonly params: unknown };
