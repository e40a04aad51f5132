// Identifiers. A run is the execution of a service from one start to its end.
// Rules: `docs/behaviour.md`, "Names and places", "Services".

declare const brand: unique symbol;

/**
 * The type `T` with a name, by which the compiler distinguishes kinds of ids. Only this folder creates such
 * values, so the compiler reports an id of the wrong kind.
 */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/**
 * The id of a project: its key in `projects` of the manifest; `__loose__` for services outside of projects.
 */
export type ProjectId = Branded<string, 'ProjectId'>;
/** The id of a service, `<project>/<service>`, unique in one supervisor. */
export type ServiceId = Branded<string, 'ServiceId'>;
/** The number of a run, counted from 1 for each service and never reused. */
export type RunId = Branded<number, 'RunId'>;
/** Identifies one command from one client. */
export type RequestId = Branded<string, 'RequestId'>;

/** The project id of all services declared outside a project, in any manifest. */
export const LOOSE = '__loose__' as ProjectId;

/** The pattern that project ids and service names must match (ERR0213). */
export const NAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** The pattern that recorded names of services and of instances (`web@2`) must match. */
export const RECORDED_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(?:@[1-9]\d{0,5})?$/;

/** Converts a string to a project id. The string was checked against `NAME_PATTERN` when it was read. */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** Returns the id of a service: `<project>/<name>`, or `__loose__/<name>` outside of projects. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Converts a number to a run number. */
export const runId = (run: number): RunId => run as RunId;
/** Prefix of the ids of requests that the supervisor sends to itself. No client receives the answers. */
export const NO_CLIENT = 'supervise:';

/** Converts a string to a request id. The string must differ from the ids of all unanswered requests. */
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

/** Returns a name or id without the instance number: `web` for `web@2`. No declared name has an `@`. */
export const declaredName = (name: string): string => {
  const at = name.indexOf('@');
  return at === -1 ? name : name.slice(0, at);
};

/** Returns the id of the declared service for an instance: `shop/web` for `shop/web@2`. */
export const groupOf = (id: ServiceId): ServiceId => declaredName(id) as ServiceId;

/** Returns the id of an instance: `shop/web@2`. */
export const instanceId = (group: ServiceId, instance: number): ServiceId =>
  `${group}@${instance}` as ServiceId;

/** Returns the id for display: `project/name`, or only the name outside of projects. */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
