// The files of the store, as they lie on disk. A schema that is not known is never guessed at.
import type { ProjectId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';

export const STATE_SCHEMA = 'sup.state/1';
export const REGISTRY_SCHEMA = 'sup.registry/1';

/** `projects/<id>/state.json`. */
export interface StoredState {
  readonly schema: typeof STATE_SCHEMA;
  /** Of the boot in which the recorded processes ran: after another one none of them is alive. */
  readonly boot_id: string;
  /** The name of the journal of what changed since (`journal.ts`); absent: there is none. */
  readonly journal?: string;
  readonly services: readonly Service[];
}

/** What is registered. */
export interface Registered {
  /** Resolved paths. */
  readonly manifests: readonly string[];
  /** Those that have a record: the next supervisor misses one that is lost. */
  readonly projects: readonly ProjectId[];
}

/** `registry.json`. */
export interface StoredRegistry extends Registered {
  readonly schema: typeof REGISTRY_SCHEMA;
}

/** What is on record of one project. */
export interface ProjectSnapshot {
  readonly project: ProjectId;
  readonly services: readonly Service[];
}
