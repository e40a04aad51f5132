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
/** The largest message the supervisor accepts, in bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/**
 * The largest message a client accepts, in bytes: enough for `inspect` of thousands of services with their
 * histories.
 */
export const MAX_ANSWER = 128 * 1024 * 1024;
/**
 * The WebSocket close code for a client that is refused because the supervisor has its maximum number of
 * clients.
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
  /** Present after a failed upgrade: the message that the old program continues to run. */
  readonly resumed?: string;
  /** Why the supervisor cannot call the C library; absent if it can call it. */
  readonly no_calls?: string;
}

/** The process that restarts the supervisor when it is killed or crashes. */
export interface Guardian {
  readonly pid: number;
  /** How often the guardian has restarted the supervisor. */
  readonly restarts: number;
}

/**
 * Requests the samples (CPU and memory over time) of the selected services since an instant, as far as they
 * are in memory.
 */
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

/**
 * The parameters of an upgrade: the absolute paths of the Node binary and of the supervisor program to run
 * next.
 */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** The warnings about the upgrade. Absent if the program that answers is older and does not report them. */
  readonly warnings?: readonly string[];
}

/**
 * The kinds of files that remain when a project is not registered any more. `logs`: the output of services.
 * `state`: their saved states and FIFOs.
 */
export type LeftoverKind = 'logs' | 'state';

/**
 * The projects and the kinds of files to purge. Without `projects`, those of all projects that are not
 * registered.
 */
export interface PurgeQuery {
  readonly projects?: readonly string[];
  readonly kinds: readonly LeftoverKind[];
}

/** A file or directory of a project that is not registered any more. */
export interface Leftover {
  readonly project: string;
  readonly kind: LeftoverKind;
  readonly path: string;
}

/**
 * Every method of the protocol with the types of its parameters and its result. `command` is answered when
 * the command is complete.
 */
export interface Methods {
  readonly command: { readonly params: Command; readonly result: Done };
  readonly status: { readonly params: Selection; readonly result: StatusDocument };
  readonly inspect: { readonly params: Selection; readonly result: InspectDocument };
  readonly samples: { readonly params: SamplesQuery; readonly result: SamplesAnswer };
  /** Returns the metrics of the supervisor and of every service. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /**
   * Returns the variables that services inherit from the supervisor. `${VAR}` in a manifest uses them, too,
   * if the manifest does not set `VAR`.
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
  /** Moves files of projects that are not registered to another directory; the client then removes them. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /**
   * Makes the supervisor send `view` notifications: first all selected services (`full`), then only those
   * that changed.
   */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/**
 * One message of the live view: all selected services (`full`), or a change. A change has only the services
 * that changed.
 */
export interface View {
  readonly full: boolean;
  readonly projects: readonly ProjectDocument[];
  /** The services that were removed, as `project/service`. */
  readonly gone: readonly string[];
}

interface Notifications {
  readonly hello: Hello;
  readonly view: View;
  /** Reports the progress of an upgrade to the client that requested it. */
  readonly progress: { readonly text: string };
}

interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
}

/**
 * The error of a request. `code` is the number that JSON-RPC requires; `data` is the error for the user;
 * `warnings` are the same as in a successful answer.
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
