import type { Selection } from '../domain/command.ts';
import type { ProjectSpec } from '../domain/declared/manifest.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { LOOSE, type ProjectId } from '../domain/ids.ts';
import { isSelected } from '../selection/match.ts';
import type { ProjectDocument, StatusDocument, SupervisorDocument } from '../wire/documents/documents.ts';
import { withGroups } from './group-document.ts';
import { serviceDocument } from './service-document.ts';
import { lookUpIn, type LookUp, type Snapshot } from './state-snapshot.ts';

interface ViewInput {
  readonly services: readonly Service[];
  readonly projects: readonly ProjectSpec[];
  readonly now: Instant;
  readonly selection?: Selection;
  /** Finds any service by its id, even if it is not shown. If absent, only `services` are searched. */
  readonly byId?: LookUp;
  readonly usage?: Snapshot['usage'];
}

export type StatusInput = ViewInput & { readonly supervisor: SupervisorDocument };

/** Returns the document of `sup status --json`. */
export const statusDocument = (input: StatusInput): StatusDocument => ({
  schema: 'sup.status/1',
  supervisor: input.supervisor,
  projects: allProjects(input).map(withGroups),
});

type Head = Omit<ProjectDocument, 'services'>;

/** Returns all projects. If there is a selection, returns only the projects that have a selected service. */
export const allProjects = (input: ViewInput): readonly ProjectDocument[] => {
  const shown = shownProjects(input);
  const isEverything = Object.keys(input.selection ?? {}).length === 0;
  const empty = isEverything
    ? input.projects.filter(({ id }) => id !== LOOSE && !shown.some((other) => other.id === id))
    : [];
  return [...shown, ...empty.map(({ id }) => projectDocument(id, [], input))];
};

/** Returns the projects that have a selected service, with only their selected services. */
export const shownProjects = (input: ViewInput): readonly ProjectDocument[] => {
  const { services, selection = {} } = input;
  const context = { ...input, byId: input.byId ?? lookUpIn(services) };
  const groups = grouped(services.filter(({ spec }) => isSelected(spec, selection)));
  return groups.map(({ id, members }) => projectDocument(id, members, context));
};

/**
 * Returns the id, name and manifest of a project, or of the services of one manifest that are outside of
 * projects.
 */
const headOf = (id: ProjectId, members: readonly Service[], projects: ViewInput['projects']): Head => {
  const manifest = members[0]?.spec.manifest ?? null;
  if (id === LOOSE) return { id, name: 'loose services', manifest };
  const declared = projects.find((project) => project.id === id);
  return declared === undefined
    ? { id, name: id, manifest }
    : { id, name: declared.name, manifest: declared.manifest };
};

const projectDocument = (id: ProjectId, members: readonly Service[], context: ViewInput): ProjectDocument => {
  const byId = context.byId ?? lookUpIn(members);
  return {
    ...headOf(id, members, context.projects),
    services: members.map((service) =>
      serviceDocument(service, { now: context.now, byId, usage: context.usage }),
    ),
  };
};

interface Group {
  readonly id: ProjectId;
  readonly members: Service[];
}

/**
 * Groups services by their project. Loose services are grouped by manifest, because loose services of
 * different manifests are unrelated.
 */
const grouped = (services: readonly Service[]): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const service of services) {
    const { project: id, manifest } = service.spec;
    const key = id === LOOSE ? manifest : id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { id, members: [service] });
    else group.members.push(service);
  }
  return [...groups.values()];
};
