// `sup status --json`: every project with its services, in the order in which they were declared.
import type { Selection } from '../domain/command.ts';
import type { ProjectSpec } from '../domain/manifest.ts';
import type { Service } from '../domain/service.ts';
import type { Instant } from '../domain/time.ts';
import { LOOSE, type ProjectId } from '../domain/ids.ts';
import { isSelected } from '../selection/is-selected.ts';
import type { ProjectDocument, StatusDocument, SupervisorDocument } from '../wire/documents.ts';
import { serviceDocument } from './service-document.ts';
import type { LookUp, Snapshot } from './snapshot.ts';

export interface ViewInput {
  readonly services: readonly Service[];
  readonly projects: readonly ProjectSpec[];
  readonly now: Instant;
  readonly selection?: Selection;
  /** For services that are not among those shown; theirs alone unless given. */
  readonly byId?: LookUp;
  readonly usage?: Snapshot['usage'];
}

export type StatusInput = ViewInput & { readonly supervisor: SupervisorDocument };

export const statusDocument = (input: StatusInput): StatusDocument => ({
  schema: 'sup.status/1',
  supervisor: input.supervisor,
  projects: allProjects(input),
});

/** Every project, or with a selection those that have a selected service. */
export const allProjects = (input: ViewInput): readonly ProjectDocument[] => {
  const shown = shownProjects(input);
  const isEverything = Object.keys(input.selection ?? {}).length === 0;
  const empty = isEverything
    ? input.projects.filter(({ id }) => !shown.some((other) => other.id === id))
    : [];
  return [...shown, ...empty.map(({ id }) => projectDocument(id, [], input))];
};

/** Projects that have a selected service, with those services. */
export const shownProjects = (input: ViewInput): readonly ProjectDocument[] => {
  const { services, selection = {} } = input;
  const context = { ...input, byId: input.byId ?? lookUpIn(services) };
  const groups = groupedByProject(services.filter(({ spec }) => isSelected(spec, selection)));
  return [...groups].map(([id, members]) => projectDocument(id, members, context));
};

const projectDocument = (id: ProjectId, members: readonly Service[], context: ViewInput): ProjectDocument => {
  const declared = context.projects.find((project) => project.id === id);
  const byId = context.byId ?? lookUpIn(members);
  return {
    id,
    name: declared?.name ?? (id === LOOSE ? 'loose services' : id),
    manifest: declared?.manifest ?? onlyManifestOf(members),
    services: members.map((service) =>
      serviceDocument(service, { now: context.now, byId, usage: context.usage }),
    ),
  };
};

export const lookUpIn = (services: readonly Service[]): LookUp => {
  const byId = new Map(services.map((service) => [service.spec.id, service]));
  return (id) => byId.get(id);
};

const groupedByProject = (services: readonly Service[]): ReadonlyMap<ProjectId, readonly Service[]> => {
  const groups = new Map<ProjectId, Service[]>();
  for (const service of services) {
    const members = groups.get(service.spec.project);
    if (members === undefined) groups.set(service.spec.project, [service]);
    else members.push(service);
  }
  return groups;
};

/** The loose bundle may come from several files: then there is none to name. */
const onlyManifestOf = (services: readonly Service[]): string | null => {
  const [first, ...others] = new Set(services.map(({ spec }) => spec.manifest));
  return others.length === 0 ? (first ?? null) : null;
};
