// The protocol of the control socket: JSON-RPC 2.0 over a WebSocket.
import type { Command, Done, Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { Bucket } from '../metrics/bucket.ts';
import type {
  ErrorDocument,
  InspectDocument,
  ProjectDocument,
  StatusDocument,
} from './documents/documents.ts';
import type { MetricsDocument } from './documents/metrics-documents.ts';

/**
 * The version of the protocol. It is incremented for changes that older clients or supervisors would
 * misunderstand.
 */
export const PROTOCOL = 3;
/** The largest message that the supervisor accepts, in bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/**
 * The largest message that a client accepts, in bytes. It is enough for `sup inspect` of thousands of
 * services.
 */
export const MAX_ANSWER = 128 * 1024 * 1024;
/** The WebSocket close code for a client that exceeds the maximum number of clients. */
export const TRY_AGAIN_LATER = 1013;

/** The first message. The supervisor sends it as soon as a client connects. */
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly since: string;
  /** The guardian of the supervisor. Absent if there is none. */
  readonly guardian?: Guardian;
  /** The message after a failed upgrade, which says that the old program continues. Absent otherwise. */
  readonly resumed?: string;
  /** The reason why the C library cannot be called. Absent if it can be called. */
  readonly no_calls?: string;
}

/** The process that restarts a supervisor which crashes or is killed. */
export interface Guardian {
  readonly pid: number;
  readonly restarts: number;
}

/**
 * A query for the samples of CPU and memory use since an instant. The answer has only samples that are in
 * memory.
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

/** The absolute paths of the Node binary and of the supervisor program that must run next. */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** Warnings about the upgrade. An older program does not send this key. */
  readonly warnings?: readonly string[];
}

/**
 * The kinds of leftover files of unregistered projects: `logs` (output of services), `state` (records and
 * FIFOs).
 */
export type LeftoverKind = 'logs' | 'state';

/** A query for files to purge. Without `projects`, the query is about all unregistered projects. */
export interface PurgeQuery {
  readonly projects?: readonly string[];
  readonly kinds: readonly LeftoverKind[];
}

/** A file or directory of an unregistered project. */
export interface Leftover {
  readonly project: string;
  readonly kind: LeftoverKind;
  readonly path: string;
}

/**
 * The methods with their parameters and results. The answer to `command` is sent when the command is
 * complete.
 */
export interface Methods {
  readonly command: { readonly params: Command; readonly result: Done };
  readonly status: { readonly params: Selection; readonly result: StatusDocument };
  readonly inspect: { readonly params: Selection; readonly result: InspectDocument };
  readonly samples: { readonly params: SamplesQuery; readonly result: SamplesAnswer };
  /** Metrics of the supervisor and of every service. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /** The variables that services inherit from the supervisor. `${VAR}` in a manifest uses them too. */
  readonly environment: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, string>>;
  };
  /**
   * Replaces the program in this process. The parameters must never change: newer clients send them to older
   * supervisors.
   */
  readonly upgrade: { readonly params: UpgradeOrder; readonly result: Upgraded };
  /** Moves files of unregistered projects to another directory. The client then removes them from there. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /** Subscribes to `view` notifications: first all selected services (`full`), then the changed services. */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/**
 * A message of the live view. `full`: true if the message has all selected services, false if it has only the
 * changed ones.
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
  /** Reports the progress of an upgrade to its client. */
  readonly progress: { readonly text: string };
}

interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
  /** The name that the sending program gives itself. An older supervisor ignores this key. */
  readonly origin?: string;
}

/**
 * An error. `code`: the number that JSON-RPC requires. `data`: the error for users. `warnings`: the warnings
 * that an answer without an error would have too.
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
