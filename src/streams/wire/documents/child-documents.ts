// The children of a service, as `sup inspect --json` shows them.
import type { ErrorDocument, ExitDocument, StateWord, TimeText, Whole } from './basic-documents.ts';

/** A living child, with the children that this child has requested. */
export interface ChildDocument {
  readonly name: string;
  readonly run: Whole;
  /** The pid of the child; `null` while it is being started. */
  readonly pid: Whole | null;
  readonly command: readonly string[];
  /** 1 if the service requested the child, 2 if a child of depth 1 requested it, and so on. */
  readonly depth: Whole;
  readonly state: StateWord;
  /**
   * The run that requested the child. `null` for an orphan, and for a child that belongs to the service and
   * not to one run.
   */
  readonly parent_run: Whole | null;
  readonly orphan: boolean;
  readonly started_at: TimeText;
  readonly age_ms: Whole;
  readonly ttl_left_ms: Whole | null;
  readonly children: readonly ChildDocument[];
}

export interface PastChildDocument {
  readonly name: string;
  readonly run: Whole;
  readonly pid: Whole | null;
  readonly command: readonly string[];
  readonly state: StateWord;
  readonly parent_run: Whole | null;
  readonly started_at: TimeText;
  readonly ended_at: TimeText;
  readonly exit: ExitDocument | null;
  /** The reason why the child was stopped; `null` if it ended by itself. */
  readonly ended_by: 'stopped' | 'parent' | 'ttl' | 'memory' | null;
  /** The error because of which the child could not be started; `null` if it was started. */
  readonly error: ErrorDocument | null;
}

export interface SpawnDocument {
  readonly mode: 'static' | 'dynamic';
  readonly limits: {
    readonly children: Whole;
    readonly depth: Whole;
    readonly descendants: Whole;
    readonly total_memory_bytes: Whole | null;
    readonly termination_policy: 'cascade' | 'orphan' | 'reparent';
  };
  readonly counts: {
    readonly children: Whole;
    readonly depth: Whole;
    readonly descendants: Whole;
    /**
     * The memory of the service and its children at the last measurement; `null` if the manifest has no limit
     * for it.
     */
    readonly total_memory_bytes: Whole | null;
  };
  readonly children: readonly ChildDocument[];
  /** The last 50 children that ended, oldest first. */
  readonly ended: readonly PastChildDocument[];
}
