// The document `sup.security/1`: how open services are, and which files of the supervisor and settings of
// Linux are open.
import type { Whole } from './basic-documents.ts';

/**
 * A check of a service. The openness is a number from 0 (closed) to 1 (open), or `null` if it is not known.
 */
export interface SecurityCheckDocument {
  /** The id of the check, unique in a service. */
  readonly id: string;
  /** The text that users read if the check is open. */
  readonly says: string;
  readonly weight: Whole;
  /** The openness by the declaration. */
  readonly declared: number | null;
  /** The openness by the facts that Linux shows about the main process. */
  readonly running: number | null;
  /**
   * The openness that the score uses. This is `running` if it is known. Otherwise it is calculated like
   * `declared`, but without the keys that the supervisor cannot apply.
   */
  readonly openness: number | null;
  /**
   * The reason why the declaration and the process differ; `null` if they do not differ.
   * - changed: the declaration was changed after the start
   * - skipped: Linux refused the key when the process was started
   * - ignored: the key has no effect without `--sys`
   * - other: the process or the machine has changed the confinement
   */
  readonly difference: 'changed' | 'skipped' | 'ignored' | 'other' | null;
  /** The manifest line that closes the check for the service. */
  readonly fix: string;
}

/** The score of a service. */
export interface ServiceSecurityDocument {
  readonly project: string;
  readonly name: string;
  /** From 0 (closed) to 10 (open), with one decimal. */
  readonly score: number;
  readonly rating: 'closed' | 'good' | 'medium' | 'exposed' | 'open';
  /** The score of the declaration alone. */
  readonly declared_score: number;
  /** The pid of the main process; `null` if there is no process, or if it cannot be examined. */
  readonly pid: Whole | null;
  /** True if the declaration and the process differ. */
  readonly differs: boolean;
  /** The checks, heaviest first. */
  readonly checks: readonly SecurityCheckDocument[];
}

/** The document of `sup security --json`. */
export interface SecurityDocument {
  readonly schema: 'sup.security/1';
  /** True if a supervisor runs. */
  readonly supervised: boolean;
  /** True if the scores are for a supervisor that was started with `--sys`. */
  readonly privileged: boolean;
  readonly services: readonly ServiceSecurityDocument[];
  /** Checks of the supervisor's files and of settings of Linux. Empty if the command line names services. */
  readonly supervisor: readonly {
    /** The id of the check, unique in a document. */
    readonly id: string;
    readonly title: string;
    readonly verdict: 'ok' | 'open' | 'unknown';
    readonly detail: string;
    /**
     * The command that closes the check; `null` if the check is not open, or if no single command closes it.
     */
    readonly fix: string | null;
  }[];
}
