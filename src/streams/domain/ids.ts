// Identifiers. The id of a service consists of its project and its name. A run is the execution of a service
// from one start to its end.
// Rules: `docs/behaviour.md`, "Names and places", "Services".

declare const brand: unique symbol;

/**
 * A `T` that only the functions of this folder create, so that the compiler reports an id of one kind used as
 * another.
 */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The key of a project in a manifest's `projects`; `__loose__` for services outside any project. */
export type ProjectId = Branded<string, 'ProjectId'>;
/** Identifies a service in one supervisor: `<project>/<service>`. */
export type ServiceId = Branded<string, 'ServiceId'>;
/** The number of a run: counted from 1 for each service, never reused. */
export type RunId = Branded<number, 'RunId'>;
/** Identifies one command from one client. */
export type RequestId = Branded<string, 'RequestId'>;

/** The project id of all services that are declared outside a project, in any registered manifest. */
export const LOOSE = '__loose__' as ProjectId;

/** Project ids and service names must match this pattern (ERR0213 otherwise). */
export const NAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/**
 * Converts a string to a project id without checking it, since names were checked against `NAME_PATTERN` when
 * they were read.
 */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** Returns `<project>/<name>`; for a service outside any project `__loose__/<name>`. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Converts a number to a run number. Runs of a service are counted from 1, and no number is used twice. */
export const runId = (run: number): RunId => run as RunId;
/**
 * Prefix of the ids of requests that the supervisor makes itself at its start; no client receives their
 * answers.
 */
export const UNHEARD = 'supervise:';

/**
 * Converts a string to a request id, which must be unique among pending requests. Requests by signal have ids
 * from `signalRequest`.
 */
export const requestId = (id: string): RequestId => id as RequestId;

/** Returns the project part of a service id: `shop` of `shop/web`. */
export const projectOf = (id: ServiceId): ProjectId => id.slice(0, id.indexOf('/')) as ProjectId;
/** Returns the name part of a service id: `web` of `shop/web`. */
export const nameOf = (id: ServiceId): string => id.slice(id.indexOf('/') + 1);

/**
 * Returns the service id for display: `project/name`, or only the name if the service is outside any project.
 */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
