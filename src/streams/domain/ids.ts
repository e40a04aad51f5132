// Identifiers. A run is the execution of a service from one start to its end.
// Rules: `docs/behaviour.md`, "Names and places", "Services".

declare const brand: unique symbol;

/** A `T` that only this folder creates, so that the compiler reports ids that are mixed up. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The key in a manifest's `projects`; `__loose__` for services outside any project. */
export type ProjectId = Branded<string, 'ProjectId'>;
/** The id of a service, `<project>/<service>`, unique in one supervisor. */
export type ServiceId = Branded<string, 'ServiceId'>;
/** The number of a run, counted from 1 for each service and never reused. */
export type RunId = Branded<number, 'RunId'>;
/** Identifies one command from one client. */
export type RequestId = Branded<string, 'RequestId'>;

/** The project id of all services declared outside a project, in any manifest. */
export const LOOSE = '__loose__' as ProjectId;

/** The pattern of project ids and service names (ERR0213 otherwise). */
export const NAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** The pattern of names of services and of instances (`web@2`), as they are recorded. */
export const RECORDED_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(?:@[1-9]\d{0,5})?$/;

/** Converts a string to a project id. Names were checked against `NAME_PATTERN` when they were read. */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** Returns `<project>/<name>`; `__loose__/<name>` for a service outside any project. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Converts a number to a run number. */
export const runId = (run: number): RunId => run as RunId;
/** Prefix of the ids of requests by the supervisor itself; no client receives the answers. */
export const UNHEARD = 'supervise:';

/** Converts a string to a request id, which must be unique among unanswered requests. */
export const requestId = (id: string): RequestId => id as RequestId;

/** Returns the project of a service id: `shop` of `shop/web`. */
export const projectOf = (id: ServiceId): ProjectId => id.slice(0, id.indexOf('/')) as ProjectId;
/** Returns the name in a service id: `web` of `shop/web`. */
export const nameOf = (id: ServiceId): string => id.slice(id.indexOf('/') + 1);

/** Returns the number of an instance: 2 of `web@2`; `undefined` for a service without `replicas`. */
export const instanceNumber = (name: string): number | undefined => {
  const at = name.indexOf('@');
  return at === -1 ? undefined : Number(name.slice(at + 1));
};

/** Returns a name or id as the manifest declares it: `web` of `web@2`. No declared name has an `@`. */
export const declaredName = (name: string): string => {
  const at = name.indexOf('@');
  return at === -1 ? name : name.slice(0, at);
};

/** Returns the id of the service that the manifest declares: `shop/web` of `shop/web@2`. */
export const groupOf = (id: ServiceId): ServiceId => declaredName(id) as ServiceId;

/** Returns the id of an instance: `shop/web@2`. */
export const instanceId = (group: ServiceId, instance: number): ServiceId =>
  `${group}@${instance}` as ServiceId;

/** Returns the id for display: `project/name`, or only the name outside any project. */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
