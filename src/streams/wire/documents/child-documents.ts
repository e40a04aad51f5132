// Children on demand as `sup inspect --json` shows them.
import type { ErrorDocument, ExitDocument, StateWord } from './basic-documents.ts';

/** A living child of a service, with the children it requested itself. */
export interface ChildDocument {
  readonly name: string;
  readonly run: number;
  /** `null` while it is being started. */
  readonly pid: number | null;
  readonly command: readonly string[];
  /** 1 for a child of the service itself. */
  readonly depth: number;
  readonly state: StateWord;
  /** The run that requested it; `null` if it moved up to the service, or has no parent. */
  readonly parent_run: number | null;
  readonly orphan: boolean;
  readonly started_at: string;
  readonly age_ms: number;
  readonly ttl_left_ms: number | null;
  readonly children: readonly ChildDocument[];
}

/** A child that is over. */
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
  /** Why it was told to end; `null`: it ended by itself. */
  readonly ended_by: 'stopped' | 'parent' | 'ttl' | 'memory' | null;
  /** Present if it could not be started. */
  readonly error: ErrorDocument | null;
}

/** Children on demand: the limits and the children. */
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
    /** As last measured; `null` if it is not limited. */
    readonly total_memory_bytes: number | null;
  };
  readonly children: readonly ChildDocument[];
  /** The last 50, oldest first. */
  readonly ended: readonly PastChildDocument[];
}
