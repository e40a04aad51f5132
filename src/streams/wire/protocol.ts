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

/** Incremented for a change that an older client or supervisor would misunderstand. */
export const PROTOCOL = 3;
/** The largest message that the supervisor accepts, bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/** The largest message that a client accepts, bytes: `inspect` of thousands of services. */
export const MAX_ANSWER = 128 * 1024 * 1024;
/** WebSocket close code for a client above the maximum number of clients. */
export const TRY_AGAIN_LATER = 1013;

/** The first message, sent by the supervisor as soon as a client connects. */
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly since: string;
  /** The guardian of the supervisor, if there is one. */
  readonly guardian?: Guardian;
  /** After a failed upgrade: the message that the old program continues. */
  readonly resumed?: string;
  /** Why the C library cannot be called, if it cannot. */
  readonly no_calls?: string;
}

/** The process that restarts a supervisor which crashes or is killed. */
export interface Guardian {
  readonly pid: number;
  readonly restarts: number;
}

/** Asks for samples in memory (CPU and memory over time) since an instant. */
export interface SamplesQuery {
  readonly selection: Selection;
  readonly since: Instant;
}

export interface SamplesAnswer {
  readonly now: Instant;
  /** The directory with older samples on disk, if any. */
  readonly spillover: string | null;
  readonly services: readonly { readonly id: ServiceId; readonly points: readonly Bucket[] }[];
}

/** Absolute paths of the Node binary and the supervisor program to run next. */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** Warnings about the upgrade; absent from an older program. */
  readonly warnings?: readonly string[];
}

/** Files left by an unregistered project: `logs` (output of services) or `state` (their records, FIFOs). */
export type LeftoverKind = 'logs' | 'state';

/** Which files to purge; without `projects`, those of all unregistered ones. */
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

/** The methods with their parameters and results. `command` is answered when the command is complete. */
export interface Methods {
  readonly command: { readonly params: Command; readonly result: Done };
  readonly status: { readonly params: Selection; readonly result: StatusDocument };
  readonly inspect: { readonly params: Selection; readonly result: InspectDocument };
  readonly samples: { readonly params: SamplesQuery; readonly result: SamplesAnswer };
  /** Metrics of the supervisor and of every service. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /** The variables that services inherit from the supervisor, which `${VAR}` in a manifest uses too. */
  readonly environment: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, string>>;
  };
  /** Replaces the program in this process. Newer clients send it to older supervisors: never change it. */
  readonly upgrade: { readonly params: UpgradeOrder; readonly result: Upgraded };
  /** Sets files of unregistered projects aside; the client then removes them. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /** Asks for `view` notifications: first all selected services (`full`), then those that changed. */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/** A message of the live view: all selected services (`full`), or those that changed. */
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
  /** The program that asks; an older supervisor ignores it. */
  readonly origin?: string;
}

/** `code`: the number that JSON-RPC requires. `data`: the error for the user. `warnings`: as in a success. */
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
