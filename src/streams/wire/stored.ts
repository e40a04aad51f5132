// The files of the store on disk. A file with an unknown schema is not read.
import type { ProjectId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';

export const STATE_SCHEMA = 'sup.state/1';
export const REGISTRY_SCHEMA = 'sup.registry/1';

/** `projects/<id>/state.json`. */
export interface StoredState {
  readonly schema: typeof STATE_SCHEMA;
  /** The boot in which the recorded processes ran; after a reboot none of them is alive. */
  readonly boot_id: string;
  /** The name of the journal with later changes (`journal.ts`); absent: none. */
  readonly journal?: string;
  readonly services: readonly Service[];
}

/** The registered manifests and projects. */
export interface Registered {
  /** Resolved paths. */
  readonly manifests: readonly string[];
  /** The projects with a record: the next supervisor notices a lost one. */
  readonly projects: readonly ProjectId[];
}

/** `registry.json`. */
export interface StoredRegistry extends Registered {
  readonly schema: typeof REGISTRY_SCHEMA;
}

/** The recorded services of one project. */
export interface ProjectSnapshot {
  readonly project: ProjectId;
  readonly services: readonly Service[];
}
