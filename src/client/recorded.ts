// Reads what the last supervisor recorded, and selects services in it.
import type { Selection } from '../streams/domain/command.ts';
import { LOOSE, type ProjectId, type ServiceId } from '../streams/domain/ids.ts';
import type { ProjectSpec } from '../streams/domain/declared/manifest.ts';
import type { Service } from '../streams/domain/service/service.ts';
import { serviceTableOf } from '../streams/kernel/service-table.ts';
import { select } from '../streams/kernel/requests/selected-services.ts';
import { INITIAL_STATE } from '../streams/kernel/state.ts';
import { peekStore } from '../sources/store/read-saved-state.ts';
import { failure } from '../streams/views/errors/command-failure.ts';

/** The data directory with the records. */
export interface DataPlace {
  readonly dataDir: string;
}

interface Recorded {
  readonly manifests: readonly string[];
  readonly services: readonly Service[];
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  readonly warnings: readonly string[];
}

/** Returns the projects. Their ids serve as names, because only the manifests contain the names. */
const projectsOf = (services: readonly Service[]): Recorded['projects'] =>
  Object.fromEntries(
    services.map(({ spec: { project, manifest } }) => [project, { id: project, name: project, manifest }]),
  );

/** Returns the records of a data directory. They may be older than the state of a running supervisor. */
export const readRecorded = ({ dataDir }: DataPlace): Recorded => {
  const { manifests, services, unrecorded, warnings } = peekStore(dataDir);
  const lost = unrecorded.map((id) => `the record of ${id} is lost: the next supervisor starts its services`);
  return { manifests, services, projects: projectsOf(services), warnings: [...warnings, ...lost] };
};

/** Returns the selected services. Throws ERR0202, ERR0006 or ERR0201, as the supervisor would. */
export const selectRecorded = (
  { services, projects, manifests }: Recorded,
  selection: Selection,
): ReadonlySet<ServiceId> => {
  const known = Object.fromEntries(manifests.map((manifest) => [manifest, []]));
  const state = { ...INITIAL_STATE, serviceTable: serviceTableOf(services), projects, manifests: known };
  const selected = select(state, selection);
  if (!selected.ok) throw failure(selected.error);
  return new Set(selected.ids);
};

/** Returns the names of all services without a project. */
export const looseNames = (place: DataPlace): readonly string[] =>
  readRecorded(place)
    .services.filter(({ spec }) => spec.project === LOOSE)
    .map(({ spec }) => spec.name);
