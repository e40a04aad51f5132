// Reads what the last supervisor recorded, and selects services in it.
import { join } from 'node:path';
import { findDefaultManifest } from '../../manifest/file-names.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { LOOSE, type ProjectId, type ServiceId } from '../../streams/domain/ids.ts';
import type { ProjectSpec } from '../../streams/domain/declared/manifest.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { rosterOf } from '../../streams/kernel/service-table.ts';
import { select } from '../../streams/kernel/requests/selected-services.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { INITIAL_STATE } from '../../streams/kernel/state.ts';
import { peekStore } from '../../sources/store/read-store.ts';
import type { Context } from '../context.ts';
import { Failure, failure } from '../../streams/views/errors/command-failure.ts';

interface Recorded {
  readonly manifests: readonly string[];
  readonly services: readonly Service[];
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  readonly warnings: readonly string[];
}

/** Returns the projects with their ids as names; the names are in the manifests, which are not read. */
const projectsOf = (services: readonly Service[]): Recorded['projects'] =>
  Object.fromEntries(
    services.map(({ spec: { project, manifest } }) => [project, { id: project, name: project, manifest }]),
  );

export const readRecorded = ({ dataDir }: Context): Recorded => {
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
  const state = { ...INITIAL_STATE, roster: rosterOf(services), projects, manifests: known };
  const selected = select(state, selection);
  if (!selected.ok) throw failure(selected.error);
  return new Set(selected.ids);
};

const NO_MANIFEST = 'no manifest is registered';

const nothingRegistered = ({ world: { directory } }: Context): Failure => {
  const here = findDefaultManifest(directory);
  const file = here ?? join(directory, 'sup.yaml');
  const detail = `there is no sup.yaml or sup.yml here, and ${NO_MANIFEST}`;
  const document = errorDocument({ code: 'ERR0203', file, detail });
  if (here === undefined) return new Failure({ ...document, hint: 'sup start -c <manifest>' });
  return new Failure({ ...document, path: null, message: NO_MANIFEST, hint: 'sup start' });
};

/** Throws if no manifest is registered: ERR0202 if the selection names something, otherwise ERR0203. */
export const refuseUnregistered = (context: Context, selection: Selection): void => {
  const recorded = readRecorded(context);
  if (recorded.manifests.length > 0) return;
  selectRecorded(recorded, selection);
  throw nothingRegistered(context);
};

/** Returns the names of all services without a project. */
export const looseNames = (context: Context): readonly string[] =>
  readRecorded(context)
    .services.filter(({ spec }) => spec.project === LOOSE)
    .map(({ spec }) => spec.name);
