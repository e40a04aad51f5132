// JSON-RPC 2.0 over a WebSocket over the control socket: what is asked, what is answered, what is told unasked.
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

/** Raised when either side would misunderstand the other. */
export const PROTOCOL = 3;
/** The largest frame the supervisor accepts, in bytes. */
export const MAX_FRAME = 8 * 1024 * 1024;
/** The largest frame a client accepts: `inspect` of thousands of services with their histories. */
export const MAX_ANSWER = 128 * 1024 * 1024;
/** WebSocket's own word from a supervisor that has as many clients as it takes. */
export const TRY_AGAIN_LATER = 1013;

/** Sent by the supervisor as soon as a client connects. */
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  readonly since: string;
  /** Absent where nobody brings it back. */
  readonly guardian?: Guardian;
  /** Of a program that goes on since the last upgrade failed: how that is told. */
  readonly resumed?: string;
  /** Why it cannot call the C library; absent where it can. */
  readonly no_calls?: string;
}

/** The process that brings the supervisor back when it is killed or crashes. */
export interface Guardian {
  readonly pid: number;
  /** How often it has. */
  readonly restarts: number;
}

/** What is in memory of some services' samples since a moment, and where older ones may be. */
export interface SamplesQuery {
  readonly selection: Selection;
  readonly since: Instant;
}

export interface SamplesAnswer {
  readonly now: Instant;
  /** The directory of older ones. */
  readonly spillover: string | null;
  readonly services: readonly { readonly id: ServiceId; readonly points: readonly Bucket[] }[];
}

/** The Node that is to run, and the supervisor's program for it: absolute paths. */
export interface UpgradeOrder {
  readonly node: string;
  readonly program: string;
}

export interface Upgraded {
  readonly from: string;
  readonly to: string;
  readonly took_ms: number;
  /** Absent in the answer of an older program. */
  readonly warnings?: readonly string[];
}

/** `logs`: what services printed. `state`: what is recorded of them, and their FIFOs. */
export type LeftoverKind = 'logs' | 'state';

/** Of which projects; of all that are not registered unless given. */
export interface PurgeQuery {
  readonly projects?: readonly string[];
  readonly kinds: readonly LeftoverKind[];
}

/** A file or directory that is left of a project. */
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
  /** What monitoring systems are told. */
  readonly metrics: { readonly params: Readonly<Record<string, never>>; readonly result: MetricsDocument };
  /** The variables that services inherit from the supervisor, and that `${VAR}` falls back to. */
  readonly environment: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: Readonly<Record<string, string>>;
  };
  /**
   * Another program takes the place of the supervisor in its process. Its form never changes: whoever is newer asks it of
   * whoever is older.
   */
  readonly upgrade: { readonly params: UpgradeOrder; readonly result: Upgraded };
  /** Sets aside what is left of projects that are not registered; who asks removes it from where it is now. */
  readonly purge: {
    readonly params: PurgeQuery;
    readonly result: { readonly removed: readonly (Leftover & { readonly aside: string })[] };
  };
  /** From now on `view` notifications come: first everything (`full`), then the services that changed. */
  readonly watch: { readonly params: Selection; readonly result: { readonly watching: true } };
}
export type Method = keyof Methods;

/** The live view: a snapshot, then deltas. A project in a delta carries only the services that changed. */
export interface View {
  readonly full: boolean;
  readonly projects: readonly ProjectDocument[];
  /** `project/service` of those that left. */
  readonly gone: readonly string[];
}

interface Notifications {
  readonly hello: Hello;
  readonly view: View;
  /** How an upgrade goes on, for who asked for it. */
  readonly progress: { readonly text: string };
}

interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
}

/** `code` is JSON-RPC's own number; what went wrong for the user is `data`, `warnings` what an answer without error has, too. */
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
