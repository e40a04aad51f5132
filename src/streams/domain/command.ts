// Commands to a running supervisor. Read-only questions (status, inspect) never become commands: the control
// sink answers them from the latest state.
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
   * Arguments and `-s`: selects services by bare name or `project/service`, also with the wildcards `*` and
   * `?`.
   */
  readonly services?: readonly string[];
  /** `-c` or `--here`: selects the services of this manifest; a resolved path. */
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
  /** Returns the selected services to their last good declaration before the present one. */
  | { readonly type: 'rollback'; readonly selection: Selection }
  /** Answers with what `apply` would do, and changes nothing. */
  | { readonly type: 'plan'; readonly selection: Selection }
  | { readonly type: 'forget'; readonly manifest: string }
  /** Records that a user signalled or reloaded processes of services directly, without the supervisor. */
  | { readonly type: 'acted'; readonly acts: readonly ServiceAct[] }
  /** Requests a child, from within a service. The process ancestry of the client identifies the service. */
  | { readonly type: 'spawn'; readonly order: ChildOrder }
  /** Stops all services, then ends the supervisor. */
  | { readonly type: 'shutdown' };

/** What a command did with a service, or the state in which it found the service. */
export type Became =
  | 'started'
  /** The service was up and was left unchanged. */
  | 'running'
  | 'restarted'
  /** The service took up the changes of its declaration without a restart. */
  | 'updated'
  | 'scheduled'
  /** The service completed. */
  | 'done'
  | 'done-before'
  | 'skipped'
  | 'stopped'
  | 'down-before'
  | 'removed'
  /** The service was sent a signal. */
  | 'signalled'
  /** The service was told to read its configuration again. */
  | 'reloaded';

/** The result of a command for one service. */
export interface Outcome {
  readonly service: ServiceId;
  readonly what: Became;
  /** How long the restarted service was not ready. */
  readonly down?: Ms;
  /** The manifest keys whose changes the updated service took up. */
  readonly keys?: readonly string[];
}

export interface Done {
  /** One outcome for each service that the command applied to. */
  readonly outcomes: readonly Outcome[];
  /** Warnings of the manifests that were read. */
  readonly warnings: readonly string[];
  /** Changes to the manifest keys that apply to the whole supervisor (`status`, `metrics`); absent: none. */
  readonly tables?: readonly ChangedKey[];
  /** The answer to `plan`. */
  readonly plan?: Plan;
  /** The answer to `spawn`. */
  readonly child?: ChildBegun;
}

/** The answer to a command: its result, or the error that it failed with. Both carry warnings. */
export type Reply =
  | { readonly ok: true; readonly done: Done }
  | {
      readonly ok: false;
      readonly error: SupError;
      /** Warnings, as in `Done`; absent: none. */
      readonly warnings?: readonly string[];
    };
