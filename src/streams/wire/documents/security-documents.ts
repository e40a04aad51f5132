// The document `sup.security/1`: how open services are, and what is open around the supervisor.
import type { Whole } from './basic-documents.ts';

/** A check of a service. An openness is a number from 0 (closed) to 1 (open), `null` if it is not known. */
export interface SecurityCheckDocument {
  /** A word for what is checked, unique in a service. */
  readonly id: string;
  /** What is the case if it is open. */
  readonly says: string;
  readonly weight: Whole;
  /** By the declaration as it is written. */
  readonly declared: number | null;
  /** By the kernel, about the main process. */
  readonly running: number | null;
  /** What counts for the score. */
  readonly openness: number | null;
  /**
   * Why declaration and process differ; `null` if they do not.
   * - changed: the declaration is another one than that of the start
   * - skipped: the kernel refused the key when the process was started
   * - ignored: the key has no effect without `--sys`
   * - other: the process or the machine has changed it
   */
  readonly difference: 'changed' | 'skipped' | 'ignored' | 'other' | null;
  /** A line of the manifest, in the service, that closes it. */
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
  /** The main process; `null` if none runs, or it cannot be looked at. */
  readonly pid: Whole | null;
  /** True if declaration and process differ. */
  readonly differs: boolean;
  /** The heaviest first. */
  readonly checks: readonly SecurityCheckDocument[];
}

/** The document of `sup security --json`. */
export interface SecurityDocument {
  readonly schema: 'sup.security/1';
  /** True if a supervisor runs. */
  readonly supervised: boolean;
  /** True if the services are judged as a supervisor with `--sys` starts them. */
  readonly privileged: boolean;
  readonly services: readonly ServiceSecurityDocument[];
  /** What surrounds the supervisor: its files, and settings of the kernel. Empty with a selection. */
  readonly supervisor: readonly {
    /** A word for what is checked, unique in a document. */
    readonly id: string;
    readonly title: string;
    readonly verdict: 'ok' | 'open' | 'unknown';
    readonly detail: string;
    /** The command that closes it; `null` if nothing is open, or no single command does. */
    readonly fix: string | null;
  }[];
}
