// The children of a service, as `sup inspect --json` shows them.
import type { ErrorDocument, ExitDocument, StateWord } from './basic-documents.ts';

/** A living child of a service, with the children it requested itself. */
export interface ChildDocument {
  readonly name: string;
  readonly run: number;
  /** `null` while the child is being started. */
  readonly pid: number | null;
  readonly command: readonly string[];
  /** The number of generations: 1 for a child of the service itself, 2 for a child of that child. */
  readonly depth: number;
  readonly state: StateWord;
  /**
   * The number of the run that requested the child; `null` if the child belongs to the service, whichever run
   * it has, or is an orphan.
   */
  readonly parent_run: number | null;
  readonly orphan: boolean;
  readonly started_at: string;
  readonly age_ms: number;
  readonly ttl_left_ms: number | null;
  readonly children: readonly ChildDocument[];
}

/** A child whose run is over. */
export interface PastChildDocument {
  readonly name: string;
  readonly run: number;
  readonly pid: number | null;
  readonly command: readonly string[];
  readonly state: StateWord;
  readonly parent_run: number | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly exit: ExitDocument | null;
  /** Why the child was stopped; `null` if it ended by itself. */
  readonly ended_by: 'stopped' | 'parent' | 'ttl' | 'memory' | null;
  /** `null` unless the child could not be started. */
  readonly error: ErrorDocument | null;
}

/** The children of a service: limits, counts, living children and the last ones that ended. */
export interface SpawnDocument {
  readonly mode: 'static' | 'dynamic';
  readonly limits: {
    readonly children: number;
    readonly depth: number;
    readonly descendants: number;
    readonly total_memory_bytes: number | null;
    readonly termination_policy: 'cascade' | 'orphan' | 'reparent';
  };
  readonly counts: {
    readonly children: number;
    readonly depth: number;
    readonly descendants: number;
    /** The memory at the last measurement; `null` if no limit is declared. */
    readonly total_memory_bytes: number | null;
  };
  readonly children: readonly ChildDocument[];
  /** The last 50 children that ended, oldest first. */
  readonly ended: readonly PastChildDocument[];
}
