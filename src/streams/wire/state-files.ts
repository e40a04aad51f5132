// The types of the state files on disk. A file with an unknown schema is not read.
import type { Readings, Scales } from '../domain/declared/manifest.ts';
import type { ProjectId } from '../domain/ids.ts';
import { withoutFacts } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';

export const STATE_SCHEMA = 'sup.state/1';
export const REGISTRY_SCHEMA = 'sup.registry/1';

/** The content of `projects/<id>/state.json`. */
export interface StoredState {
  readonly schema: typeof STATE_SCHEMA;
  /**
   * The id that Linux gives to each boot of the machine. If it differs from the present boot id, no recorded
   * process is alive.
   */
  readonly boot_id: string;
  /** The name of the journal with later changes (`journal.ts`). Absent if there is none. */
  readonly journal?: string;
  readonly services: readonly Service[];
}

/** The registered manifests and projects. */
export interface Registered {
  /** The resolved paths of the registered manifests. */
  readonly manifests: readonly string[];
  /**
   * The files and profiles with which each manifest is read, by its path. A manifest without an entry is one
   * file and is read without profiles.
   */
  readonly readings?: Readings;
  /** The numbers of instances that `sup scale` has set. Absent if it has set none. */
  readonly scales?: Scales;
  /** The projects that have a state file. They are recorded so that a lost state file is noticed. */
  readonly projects: readonly ProjectId[];
}

/** The content of `registry.json`. */
export interface StoredRegistry extends Registered {
  readonly schema: typeof REGISTRY_SCHEMA;
}

/** The recorded services of one project. */
export interface ProjectSnapshot {
  readonly project: ProjectId;
  readonly services: readonly Service[];
}

/** The fields of a service that programs older than D-122 also expect in the second run of a rollout. */
const FACTS_OF_OTHER = { resume: false, leaving: false, gate: 'none', awaitedBy: [] } as const;

/** Returns the service in the form that is written to files. Older programs can read this form too. */
export const storedService = (service: Service): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, ...FACTS_OF_OTHER } } };
};

/** Returns the service, read from the form that this program or an older program has written. */
export const serviceFromStored = (stored: Service): Service => {
  const { rollout } = stored;
  if (rollout === undefined) return stored;
  return { ...stored, rollout: { ...rollout, other: withoutFacts(rollout.other) } };
};
