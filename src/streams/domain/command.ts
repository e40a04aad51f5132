// What people ask of a running supervisor. Read-only questions (status, inspect) are answered from the latest
// state by the control sink and never become commands.
import type { SupError } from './errors/error.ts';
import type { ServiceId } from './ids.ts';
import type { ChangedKey, Plan } from './plan.ts';
import type { Act } from './service/incident.ts';
import type { ChildBegun, ChildOrder } from './service/child.ts';
import type { Ms } from './time.ts';

/** Which services a command is about. Nothing named: all of them. */
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
  /** Re-reads every registered manifest, then bounces what is selected. */
  | {
      readonly type: 'restart';
      readonly selection: Selection;
      /** Those who depend on them, directly or not, are bounced too. */
      readonly withDependents?: boolean;
    }
  /** Re-reads every registered manifest and brings what runs to what is declared, and touches nothing else. SIGHUP, too. */
  | { readonly type: 'apply'; readonly selection: Selection }
  /** Brings services back to the last good declaration before the present one. */
  | { readonly type: 'rollback'; readonly selection: Selection }
  /** What `apply` would do. */
  | { readonly type: 'plan'; readonly selection: Selection }
  | { readonly type: 'forget'; readonly manifest: string }
  /** A person has done something to processes of services, past the supervisor: their histories are to have it. */
  | { readonly type: 'acted'; readonly acts: readonly ServiceAct[] }
  /** Asked from within a service: who asks is found out by its ancestry. */
  | { readonly type: 'spawn'; readonly order: ChildOrder }
  /** Stop everything, then end the supervisor. */
  | { readonly type: 'shutdown' };

/** What a command did with a service, or found it to be already. */
export type Became =
  | 'started'
  /** It was up, and was left as it is. */
  | 'running'
  | 'restarted'
  /** It took up what has changed, and its run goes on. */
  | 'updated'
  | 'scheduled'
  /** It ran to its end. */
  | 'done'
  | 'done-before'
  | 'skipped'
  | 'stopped'
  | 'down-before'
  | 'removed'
  /** It got a signal. */
  | 'signalled'
  /** It was told to read its configuration again. */
  | 'reloaded';

/** What became of one service that a command was about. */
export interface Outcome {
  readonly service: ServiceId;
  readonly what: Became;
  /** For how long a restarted one was not ready. */
  readonly down?: Ms;
  /** The keys that an updated one took up. */
  readonly keys?: readonly string[];
}

export interface Done {
  /** One for each service that the command was about. */
  readonly outcomes: readonly Outcome[];
  /** Warnings of the manifests that were read. */
  readonly warnings: readonly string[];
  /** What was changed of the keys that are for the whole supervisor (`status`, `metrics`); absent: nothing. */
  readonly tables?: readonly ChangedKey[];
  /** The answer to `plan`. */
  readonly plan?: Plan;
  /** The answer to `spawn`. */
  readonly child?: ChildBegun;
}

/** The answer to a command: done, or the error that says who is to blame. Either has its warnings. */
export type Reply =
  | { readonly ok: true; readonly done: Done }
  | {
      readonly ok: false;
      readonly error: SupError;
      /** As of what is done; absent: none. */
      readonly warnings?: readonly string[];
    };
