// The files of the store on disk. A file with an unknown schema is not read.
import type { ProjectId } from '../domain/ids.ts';
import { withoutFacts } from '../domain/service/runs-of.ts';
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

/** Programs before D-122 read the other run of a rollout as a service, which has these facts. */
const FACTS_OF_OTHER = { resume: false, leaving: false, gate: 'none', awaitedBy: [] } as const;

/** A service as it is written, for this program and older ones; the same object without a rollout. */
export const storedService = (service: Service): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, ...FACTS_OF_OTHER } } };
};

/** The service that was written by this program or an older one; the same object without a rollout. */
export const serviceFromStored = (stored: Service): Service => {
  const { rollout } = stored;
  if (rollout === undefined) return stored;
  return { ...stored, rollout: { ...rollout, other: withoutFacts(rollout.other) } };
};
