// Commands that change a running supervisor or its services. Requests that only read (status, inspect) are
// not commands: they are answered from the latest state.
import type { SupError } from './errors/error.ts';
import type { Reading } from './declared/manifest.ts';
import type { ServiceId } from './ids.ts';
import type { ChangedKey, Plan } from './apply-plan.ts';
import type { Act } from './service/history-facts.ts';
import type { ChildBegun, ChildOrder } from './service/child.ts';
import type { Ms } from './time.ts';

/** Selects the services that a command applies to. Without any key it selects all services. */
export interface Selection {
  /** `-p`: the services of these projects. */
  readonly projects?: readonly string[];
  /** Arguments and `-s`: service names or `project/service`, with wildcards `*` and `?`. */
  readonly services?: readonly string[];
  /** `-c` or `--here`: the services of the manifest with this resolved path. */
  readonly manifest?: string;
}

/** The number of instances that `sup scale` sets for a service. `service`: its name as the user wrote it. */
export interface Count {
  readonly service: string;
  readonly replicas: number;
}

export interface ServiceAct {
  readonly service: ServiceId;
  readonly act: Act;
}

/** An event that a service reports about itself. `unit`: `SUP_UNIT` in the environment of the sender. */
export interface Report {
  readonly text: string;
  readonly level: 'info' | 'warning';
  readonly data: Readonly<Record<string, string>>;
  readonly unit?: string;
}

/**
 * The limits of a client: its command is refused as a whole if it concerns a service that matches no pattern
 * of `within`. Absent: no limits.
 */
interface Limited {
  readonly within?: readonly string[];
}

export type Command =
  /**
   * Starts services. `reading`: how the manifest is read from now on. A key that is absent in `reading` keeps
   * its previous value.
   */
  | (Limited & { readonly type: 'start'; readonly selection: Selection; readonly reading?: Reading })
  | { readonly type: 'stop'; readonly selection: Selection }
  /** Restarts services after re-reading all registered manifests. */
  | (Limited & {
      readonly type: 'restart';
      readonly selection: Selection;
      /** True if all dependents of the selected services restart too. */
      readonly withDependents?: boolean;
    })
  /** Re-reads all registered manifests and applies the changes. SIGHUP does the same. */
  | (Limited & { readonly type: 'apply'; readonly selection: Selection })
  /** Returns services to the last declaration that worked before the present one. */
  | { readonly type: 'rollback'; readonly selection: Selection }
  /** Sets the number of instances of services with `replicas`. */
  | {
      readonly type: 'scale';
      readonly counts: readonly Count[];
      /** Only services of these projects. */
      readonly projects?: readonly string[];
    }
  /** Asks for the changes that `apply` would make. */
  | { readonly type: 'plan'; readonly selection: Selection }
  | { readonly type: 'forget'; readonly manifest: string }
  /** Records that a program has sent requests that changed nothing, such as `status`. */
  | { readonly type: 'called'; readonly call: string; readonly times: number }
  /** Records that a user has signalled or reloaded processes directly, without the supervisor. */
  | { readonly type: 'acted'; readonly acts: readonly ServiceAct[] }
  /** Requests a child (an additional process) for the service that the client's process belongs to. */
  | { readonly type: 'spawn'; readonly order: ChildOrder }
  /** Records an event of the service that the client's process belongs to. */
  | { readonly type: 'report'; readonly report: Report }
  | { readonly type: 'shutdown' };

/**
 * What a command did with a service. A value `…-before` means that the command did nothing, because the
 * service was already in that state.
 */
export type Became =
  | 'started'
  /** The service was already up, so the command did nothing. */
  | 'running'
  | 'restarted'
  /** The present run uses the changes without a restart. */
  | 'updated'
  | 'scheduled'
  /** The service is a one-shot, which ran and exited with 0. */
  | 'done'
  | 'done-before'
  | 'skipped'
  | 'stopped'
  | 'down-before'
  | 'removed'
  | 'signalled'
  /** The service received its reload signal, or its reload command was run. */
  | 'reloaded';

export interface Outcome {
  readonly service: ServiceId;
  readonly what: Became;
  /** For a restart: how long the service was not ready. */
  readonly down?: Ms;
  /** The changed manifest keys that took effect without a restart. */
  readonly keys?: readonly string[];
}

export interface Done {
  readonly outcomes: readonly Outcome[];
  /** Warnings of the manifests that were read. */
  readonly warnings: readonly string[];
  /** Changes to `status` and `metrics`, which apply to the whole supervisor. */
  readonly tables?: readonly ChangedKey[];
  /** The answer to the command `plan`. */
  readonly plan?: Plan;
  /** The answer to the command `spawn`. */
  readonly child?: ChildBegun;
}

export type Reply =
  | { readonly ok: true; readonly done: Done }
  | {
      readonly ok: false;
      readonly error: SupError;
      /** Warnings of the manifests that were read. */
      readonly warnings?: readonly string[];
    };
