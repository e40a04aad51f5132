// Commands to a running supervisor. Read-only questions (status, inspect) never become commands: the control
// sink answers them from the latest state.
import type { SupError } from './errors/error.ts';
import type { ServiceId } from './ids.ts';
import type { ChangedKey, Plan } from './apply-plan.ts';
import type { Act } from './service/history-facts.ts';
import type { ChildBegun, ChildOrder } from './service/child.ts';
import type { Ms } from './time.ts';

/** The services a command is about. If nothing is named, all of them. */
export interface Selection {
  /** `-p`: services of any of these. */
  readonly projects?: readonly string[];
  /** Arguments and `-s`: bare names and `project/service`, also with `*` and `?`. */
  readonly services?: readonly string[];
  /** `-c` or `--here`, resolved: the services of this manifest. */
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
      /** Restarts their direct and indirect dependents, too. */
      readonly withDependents?: boolean;
    }
  /**
   * Re-reads every registered manifest and applies what changed; leaves the other services alone. SIGHUP does
   * the same.
   */
  | { readonly type: 'apply'; readonly selection: Selection }
  /** Returns services to their last good declaration before the present one. */
  | { readonly type: 'rollback'; readonly selection: Selection }
  /** Returns what `apply` would do. */
  | { readonly type: 'plan'; readonly selection: Selection }
  | { readonly type: 'forget'; readonly manifest: string }
  /** Records that a user signalled or reloaded processes of services directly, without the supervisor. */
  | { readonly type: 'acted'; readonly acts: readonly ServiceAct[] }
  /** A request from within a service: its process ancestry identifies the requester. */
  | { readonly type: 'spawn'; readonly order: ChildOrder }
  /** Stops everything, then ends the supervisor. */
  | { readonly type: 'shutdown' };

/** What a command did with a service, or the state in which it found the service. */
export type Became =
  | 'started'
  /** Was up and was left unchanged. */
  | 'running'
  | 'restarted'
  /** Took up the changes without a restart. */
  | 'updated'
  | 'scheduled'
  /** Ran to its end. */
  | 'done'
  | 'done-before'
  | 'skipped'
  | 'stopped'
  | 'down-before'
  | 'removed'
  /** Got a signal. */
  | 'signalled'
  /** Was notified to read its configuration again. */
  | 'reloaded';

/** The result of a command for one service. */
export interface Outcome {
  readonly service: ServiceId;
  readonly what: Became;
  /** How long a restarted service was not ready. */
  readonly down?: Ms;
  /** The keys that an updated service took up. */
  readonly keys?: readonly string[];
}

export interface Done {
  /** One for each service that the command was about. */
  readonly outcomes: readonly Outcome[];
  /** Warnings of the manifests that were read. */
  readonly warnings: readonly string[];
  /** What changed in the keys for the whole supervisor (`status`, `metrics`); absent: nothing. */
  readonly tables?: readonly ChangedKey[];
  /** The answer to `plan`. */
  readonly plan?: Plan;
  /** The answer to `spawn`. */
  readonly child?: ChildBegun;
}

/** The answer to a command: done, or the error with the service that caused it. Both carry warnings. */
export type Reply =
  | { readonly ok: true; readonly done: Done }
  | {
      readonly ok: false;
      readonly error: SupError;
      /** Warnings, as in `Done`; absent: none. */
      readonly warnings?: readonly string[];
    };
