// The services of the live view. The first view from the supervisor has all services, later views have only
// changes (`streams/wire/protocol.ts`).
import { projectId, serviceId, type ServiceId } from '../streams/domain/ids.ts';
import type { ProjectDocument, ServiceDocument } from '../streams/wire/documents/documents.ts';
import type { View } from '../streams/wire/protocol.ts';

export interface LiveService {
  /** Id in the form `project/service`. */
  readonly id: string;
  readonly service: ServiceDocument;
}

type Head = Omit<ProjectDocument, 'services'>;

/** Returns the key of a project. Services without a project have one key per manifest. */
const keyOf = ({ id, manifest }: Head): string => `${id} ${manifest ?? ''}`;

export interface LiveModel {
  readonly heads: ReadonlyMap<string, Head>;
  readonly services: ReadonlyMap<string, ServiceDocument>;
  /** For each service id: the key of the service's project in `heads`. */
  readonly homes: ReadonlyMap<string, string>;
}

export const NOTHING: LiveModel = { heads: new Map(), services: new Map(), homes: new Map() };

const idOf = (project: string, service: string): string => `${project}/${service}`;

/** Returns the id; for a service without a project, only its name. */
export const shownName = (id: string): string => id.replace(/^__loose__\//, '');

/** Returns the ids of all services in the projects. */
export const idsIn = (projects: readonly ProjectDocument[]): readonly ServiceId[] =>
  projects.flatMap(({ id, services }) => services.map(({ name }) => serviceId(projectId(id), name)));

export const servicesIn = (projects: readonly ProjectDocument[]): readonly LiveService[] =>
  projects.flatMap(({ id, services }) =>
    services.map((service) => ({ id: idOf(id, service.name), service })),
  );

export const applyView = (model: LiveModel, { full, projects, gone }: View): LiveModel => {
  const before = full ? NOTHING : model;
  const heads = new Map(before.heads);
  const services = new Map(before.services);
  const homes = new Map(before.homes);
  for (const { services: members, ...head } of projects) {
    heads.set(keyOf(head), head);
    for (const member of members) homes.set(idOf(head.id, member.name), keyOf(head));
  }
  for (const { id, service } of servicesIn(projects)) services.set(id, service);
  for (const id of gone) services.delete(id);
  return { heads, services, homes };
};

/** Returns the services of the model as project documents, without empty projects. */
export const projectsOf = ({ heads, services, homes }: LiveModel): readonly ProjectDocument[] => {
  const members = new Map<string, ServiceDocument[]>();
  for (const [id, service] of services) {
    const home = homes.get(id) ?? '';
    const own = members.get(home);
    if (own === undefined) members.set(home, [service]);
    else own.push(service);
  }
  return [...heads.values()].flatMap((head) => {
    const own = members.get(keyOf(head)) ?? [];
    return own.length === 0 ? [] : [{ ...head, services: own }];
  });
};

export interface LiveChange extends LiveService {
  /** The previous state; `undefined` for a service that is new in the view. */
  readonly from: string | undefined;
}

const isSame = (old: ServiceDocument | undefined, service: ServiceDocument): boolean =>
  old?.state === service.state &&
  old.health === service.health &&
  old.pid === service.pid &&
  old.rollout?.step === service.rollout?.step;

/** Returns the services with a changed state, health, pid or rollout step. */
export const changesIn = (before: LiveModel, view: View): readonly LiveChange[] =>
  servicesIn(view.projects).flatMap(({ id, service }) => {
    const old = before.services.get(id);
    return isSame(old, service) ? [] : [{ id, service, from: old?.state }];
  });
