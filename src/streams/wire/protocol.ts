// JSON-RPC 2.0 over a WebSocket over the control socket: requests, answers and notifications.
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

/** Incremented when the two sides would otherwise misunderstand each other. */
export const PROTOCOL = 3;
/** The largest frame the supervisor accepts, in bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/** The largest frame a client accepts: `inspect` of thousands of services with their histories. */
export const MAX_ANSWER = 128 * 1024 * 1024;
/** The WebSocket close code of a supervisor that has its maximum of clients. */
export const TRY_AGAIN_LATER = 1013;

/** Sent by the supervisor as soon as a client connects. */
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly since: string;
  /** Absent if no guardian restarts the supervisor. */
  readonly guardian?: Guardian;
  /** After a failed upgrade, the message that the old program goes on. */
  readonly resumed?: string;
  /** Why it cannot call the C library; absent if it can. */
  readonly no_calls?: string;
}

/** The process that restarts the supervisor when it is killed or crashes. */
export interface Guardian {
  readonly pid: number;
  /** How often it has restarted the supervisor. */
  readonly restarts: number;
}

/** Queries the samples in memory of some services since an instant, and the place of older ones. */
export interface SamplesQuery {
  readonly selection: Selection;
  readonly since: Instant;
}

export interface SamplesAnswer {
  readonly now: Instant;
  /** The directory of older samples. */
  readonly spillover: string | null;
  readonly services: readonly { readonly id: ServiceId; readonly points: readonly Bucket[] }[];
}

/** The Node and the supervisor program to run: absolute paths. */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** Absent in an older program's answer. */
  readonly warnings?: readonly string[];
}

/** `logs`: the output of services. `state`: their records and FIFOs. */
export type LeftoverKind = 'logs' | 'state';

/** The projects to purge; if absent, all that are not registered. */
export interface PurgeQuery {
  readonly projects?: readonly string[];
  readonly kinds: readonly LeftoverKind[];
}

/** A leftover file or directory of a project. */
export interface Leftover {
  readonly project: string;
  readonly kind: LeftoverKind;
  readonly path: string;
}

/** Every method with its parameters and its result. `command` answers when the command is finished. */
export interface Methods {
  readonly command: { readonly params: Command; readonly result: Done };
  readonly status: { readonly params: Selection; readonly result: StatusDocument };
  readonly inspect: { readonly params: Selection; readonly result: InspectDocument };
  readonly samples: { readonly params: SamplesQuery; readonly result: SamplesAnswer };
  /** The metrics for monitoring systems. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /** The variables that services inherit from the supervisor, and the fallback for `${VAR}`. */
  readonly environment: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, string>>;
  };
  /**
   * Replaces the supervisor's program in its process. The form of this request never changes: newer clients
   * send it to older supervisors.
   */
  readonly upgrade: { readonly params: UpgradeOrder; readonly result: Upgraded };
  /** Sets aside the leftovers of projects that are not registered; the client then removes them. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /** Subscribes to `view` notifications: first everything (`full`), then the services that changed. */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/** The live view: a snapshot, then deltas. A project in a delta carries only the services that changed. */
export interface View {
  readonly full: boolean;
  readonly projects: readonly ProjectDocument[];
  /** `project/service` of removed services. */
  readonly gone: readonly string[];
}

interface Notifications {
  readonly hello: Hello;
  readonly view: View;
  /** The progress of an upgrade, for the client that requested it. */
  readonly progress: { readonly text: string };
}

interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
}

/**
 * `code` is JSON-RPC's own number; `data` is the error for the user; `warnings` are those an answer without
 * error has, too.
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
