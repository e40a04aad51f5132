// The services as the live view tells of them: a snapshot, then deltas (`streams/wire/protocol.ts`).
import type { ProjectDocument, ServiceDocument } from '../../streams/wire/documents.ts';
import type { View } from '../../streams/wire/protocol.ts';

export interface LiveService {
  /** `project/service`. */
  readonly id: string;
  readonly service: ServiceDocument;
}

type Head = Omit<ProjectDocument, 'services'>;

export interface LiveModel {
  readonly heads: ReadonlyMap<string, Head>;
  readonly services: ReadonlyMap<string, ServiceDocument>;
}

export const NOTHING: LiveModel = { heads: new Map(), services: new Map() };

const idOf = (project: string, service: string): string => `${project}/${service}`;

export const servicesIn = (projects: readonly ProjectDocument[]): readonly LiveService[] =>
  projects.flatMap(({ id, services }) =>
    services.map((service) => ({ id: idOf(id, service.name), service })),
  );

export const applyView = (model: LiveModel, { full, projects, gone }: View): LiveModel => {
  const before = full ? NOTHING : model;
  const heads = new Map(before.heads);
  const services = new Map(before.services);
  for (const { id, name, manifest } of projects) heads.set(id, { id, name, manifest });
  for (const { id, service } of servicesIn(projects)) services.set(id, service);
  for (const id of gone) services.delete(id);
  return { heads, services };
};

/** The model as documents, projects without services left out. */
export const projectsOf = ({ heads, services }: LiveModel): readonly ProjectDocument[] => {
  const members = new Map<string, ServiceDocument[]>();
  for (const [id, service] of services) {
    const project = id.slice(0, id.indexOf('/'));
    members.set(project, [...(members.get(project) ?? []), service]);
  }
  return [...heads.values()].flatMap((head) => {
    const own = members.get(head.id) ?? [];
    return own.length === 0 ? [] : [{ ...head, services: own }];
  });
};

export interface Change extends LiveService {
  /** Its state before; absent for a service that is new to the view. */
  readonly from: string | undefined;
}

const isSame = (old: ServiceDocument | undefined, service: ServiceDocument): boolean =>
  old?.state === service.state &&
  old.health === service.health &&
  old.pid === service.pid &&
  old.rollout?.step === service.rollout?.step;

/** Services whose state, health, process or step of a rollout is another than before. */
export const changesIn = (before: LiveModel, view: View): readonly Change[] =>
  servicesIn(view.projects).flatMap(({ id, service }) => {
    const old = before.services.get(id);
    return isSame(old, service) ? [] : [{ id, service, from: old?.state }];
  });
