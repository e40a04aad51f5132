// The state files on disk. A file with an unknown schema is not read.
import type { Readings, Scales } from '../domain/declared/manifest.ts';
import type { ProjectId } from '../domain/ids.ts';
import { withoutFacts } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';

export const STATE_SCHEMA = 'sup.state/1';
export const REGISTRY_SCHEMA = 'sup.registry/1';

/** The content of `projects/<id>/state.json`. */
export interface StoredState {
  readonly schema: typeof STATE_SCHEMA;
  /** Identifies the boot; after a reboot no recorded process is alive. */
  readonly boot_id: string;
  /** The journal with later changes (`journal.ts`), if there is one. */
  readonly journal?: string;
  readonly services: readonly Service[];
}

/** The registered manifests and projects. */
export interface Registered {
  /** The resolved paths of the registered manifests. */
  readonly manifests: readonly string[];
  /** How manifests are read, by their paths. Absent: each from one file and without profiles. */
  readonly readings?: Readings;
  /** The numbers of instances that `sup scale` has set. Absent: none. */
  readonly scales?: Scales;
  /** The projects with a state file, to notice if one is lost. */
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

/** Programs before D-122 expect these fields of a service in the second run of a rollout. */
const FACTS_OF_OTHER = { resume: false, leaving: false, gate: 'none', awaitedBy: [] } as const;

/** Returns a service as it is written, so that older programs can read it too. */
export const storedService = (service: Service): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, ...FACTS_OF_OTHER } } };
};

/** Returns a service as it was written by this or an older program. */
export const serviceFromStored = (stored: Service): Service => {
  const { rollout } = stored;
  if (rollout === undefined) return stored;
  return { ...stored, rollout: { ...rollout, other: withoutFacts(rollout.other) } };
};
