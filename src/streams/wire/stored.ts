// The forms of the state files on disk. A file with an unknown schema is not read.
import type { ProjectId } from '../domain/ids.ts';
import { withoutFacts } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';

export const STATE_SCHEMA = 'sup.state/1';
export const REGISTRY_SCHEMA = 'sup.registry/1';

/** The content of `projects/<id>/state.json`. */
export interface StoredState {
  readonly schema: typeof STATE_SCHEMA;
  /**
   * The id of the machine's boot in which the recorded processes ran. After a reboot none of these processes
   * is alive.
   */
  readonly boot_id: string;
  /** The name of the journal with later changes (`journal.ts`); absent if there is none. */
  readonly journal?: string;
  readonly services: readonly Service[];
}

/** The registered manifests and projects. */
export interface Registered {
  /** The resolved paths of the registered manifests. */
  readonly manifests: readonly string[];
  /** The projects that have a state file, so that the next supervisor notices if one is lost. */
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

/**
 * Service fields that are added to the second run of a rollout when it is written. Programs before D-122 read
 * this run as a service and expect the fields.
 */
const FACTS_OF_OTHER = { resume: false, leaving: false, gate: 'none', awaitedBy: [] } as const;

/**
 * Returns a service in the form in which it is written, which older programs can also read. Without a
 * rollout, this is the same object.
 */
export const storedService = (service: Service): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  return { ...service, rollout: { ...rollout, other: { ...rollout.other, ...FACTS_OF_OTHER } } };
};

/**
 * Converts a service from the form in which this or an older program has written it. Without a rollout, this
 * is the same object.
 */
export const serviceFromStored = (stored: Service): Service => {
  const { rollout } = stored;
  if (rollout === undefined) return stored;
  return { ...stored, rollout: { ...rollout, other: withoutFacts(rollout.other) } };
};
