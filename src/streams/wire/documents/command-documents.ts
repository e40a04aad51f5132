// The documents that commands print as their answers: `sup.done/1`, `sup.plan/1` and others.
import type { TimeText, Whole } from './basic-documents.ts';
import type { Became } from '../../domain/command.ts';
import type { PlannedChange } from '../../domain/apply-plan.ts';

/** The effect of the command on one service. */
export interface OutcomeDocument {
  /** The id of the service, `project/service`. */
  readonly service: string;
  readonly what: Became;
  /** The time for which the service was not ready during its restart, ms; `null` if it was not restarted. */
  readonly down_ms: Whole | null;
  /** The changed manifest keys that took effect without a restart; `null` if there are none. */
  readonly keys: readonly string[] | null;
}

/** The document of `start`, `stop`, `restart` and other commands with `--json`. */
export interface DoneDocument {
  readonly schema: 'sup.done/1';
  /** The name of the command, as on the command line. */
  readonly command: string;
  readonly services: readonly OutcomeDocument[];
  readonly warnings: readonly string[];
}

/**
 * A changed manifest key, with its old and new value as text. A value is `null` if that declaration does not
 * have the key.
 */
export interface KeyDocument {
  readonly key: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface ChangeDocument {
  readonly service: string;
  readonly action: PlannedChange['action'];
  readonly strategy: PlannedChange['strategy'];
  /** The expected downtime of the service, ms, estimated from its last restart; `null` if it is not known. */
  readonly down_ms: Whole | null;
  /** The reason why the change does not replace the process; `null` if the process is replaced. */
  readonly rest: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live' | null;
  /** A dependency that will not become ready, so that the new run cannot start; `null` if there is none. */
  readonly waits_for: string | null;
  readonly keys: readonly (KeyDocument & { readonly new_run: boolean })[];
}

/** The document of `sup plan --json`. */
export interface PlanDocument {
  readonly schema: 'sup.plan/1';
  readonly changes: readonly ChangeDocument[];
  /** Changes to the keys `status` and `metrics`, which apply to the whole supervisor. */
  readonly tables: readonly KeyDocument[];
  readonly warnings: readonly string[];
}

/** The document of `sup spawn --json`. */
export interface SpawnedDocument {
  readonly schema: 'sup.spawned/1';
  readonly service: string;
  readonly name: string;
  readonly run: Whole;
  readonly pid: Whole;
  readonly depth: Whole;
  /** The time when the `--ttl` of the child ends; `null` if the child has no `--ttl`. */
  readonly expires_at: TimeText | null;
}

/**
 * The document of `sup start --json -- command…` while a supervisor runs. It is about the manifest that the
 * command has written.
 */
export interface StagedDocument {
  readonly schema: 'sup.staged/1';
  readonly manifest: string;
  /** The command line that starts the written manifest. */
  readonly command: string;
}

/** The document of `sup dashboard --json`. */
export interface DashboardDocument {
  readonly schema: 'sup.dashboard/1';
  /**
   * The URL of the page, with its token. If the page is on a Unix socket, this is the URL for a forwarded
   * port.
   */
  readonly url: string;
  /** The path of the Unix socket; `null` without one. */
  readonly socket: string | null;
  /** True if users of the pages may change services (`--allow-actions`). */
  readonly actions: boolean;
}
