// Commands that change a running supervisor or its services. Read-only requests (status, inspect) are not
// commands: they are answered from the latest state.
import type { SupError } from './errors/error.ts';
import type { ServiceId } from './ids.ts';
import type { ChangedKey, Plan } from './apply-plan.ts';
import type { Act } from './service/history-facts.ts';
import type { ChildBegun, ChildOrder } from './service/child.ts';
import type { Ms } from './time.ts';

/** The services a command applies to. A selection without any key selects all services. */
export interface Selection {
  /** `-p`: selects the services of these projects. */
  readonly projects?: readonly string[];
  /**
   * Arguments and `-s`: selects services by name or by `project/service`. The wildcards `*` and `?` are
   * allowed.
   */
  readonly services?: readonly string[];
  /** `-c` or `--here`: the resolved path of a manifest; selects the services of that manifest. */
  readonly manifest?: string;
}

export interface ServiceAct {
  readonly service: ServiceId;
  readonly act: Act;
}

export type Command =
  | { readonly type: 'start'; readonly selection: Selection }
  | { readonly type: 'stop'; readonly selection: Selection }
  /** Re-reads every registered manifest, then restarts the selected services. */
  | {
      readonly type: 'restart';
      readonly selection: Selection;
      /** Also restarts the direct and indirect dependents of the selected services. */
      readonly withDependents?: boolean;
    }
  /**
   * Re-reads every registered manifest and applies the changes; services without changes are left alone.
   * SIGHUP does the same.
   */
  | { readonly type: 'apply'; readonly selection: Selection }
  /** Returns the selected services to the last declaration that worked before the present one. */
  | { readonly type: 'rollback'; readonly selection: Selection }
  /** Answers with the changes that `apply` would make, without making them. */
  | { readonly type: 'plan'; readonly selection: Selection }
  | { readonly type: 'forget'; readonly manifest: string }
  /** Records that a user signalled or reloaded processes of services directly, without the supervisor. */
  | { readonly type: 'acted'; readonly acts: readonly ServiceAct[] }
  /**
   * Requests a child (an additional process) for the service that the client belongs to. The process ancestry
   * of the client identifies the service.
   */
  | { readonly type: 'spawn'; readonly order: ChildOrder }
  /** Stops all services, then ends the supervisor. */
  | { readonly type: 'shutdown' };

/**
 * What a command did with a service (`restarted`), or the state in which it left the service unchanged
 * (`done-before`).
 */
export type Became =
  | 'started'
  /** The service was already up and was left unchanged. */
  | 'running'
  | 'restarted'
  /** The running process took up the changes of the declaration without a restart. */
  | 'updated'
  | 'scheduled'
  /** The service is a one-shot and has exited with 0. */
  | 'done'
  | 'done-before'
  | 'skipped'
  | 'stopped'
  | 'down-before'
  | 'removed'
  /** The service was sent a signal. */
  | 'signalled'
  /** The service received its reload signal, or its reload command was run. */
  | 'reloaded';

/** The result of a command for one service. */
export interface Outcome {
  readonly service: ServiceId;
  readonly what: Became;
  /** How long the service was not ready during its restart. */
  readonly down?: Ms;
  /** The manifest keys with changes that took effect without a restart. */
  readonly keys?: readonly string[];
}

export interface Done {
  /** One outcome for each service that the command applied to. */
  readonly outcomes: readonly Outcome[];
  /** Warnings of the manifests that were read. */
  readonly warnings: readonly string[];
  /** Changes to the manifest keys that apply to the whole supervisor (`status`, `metrics`); absent: none. */
  readonly tables?: readonly ChangedKey[];
  /** The answer to the command `plan`: the changes that `apply` would make. */
  readonly plan?: Plan;
  /** The answer to the command `spawn`: the child that was started. */
  readonly child?: ChildBegun;
}

/** The answer to a command: its result, or the error that it failed with. Both carry warnings. */
export type Reply =
  | { readonly ok: true; readonly done: Done }
  | {
      readonly ok: false;
      readonly error: SupError;
      /** Warnings of the manifests that were read; absent: none. */
      readonly warnings?: readonly string[];
    };
