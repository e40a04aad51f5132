// Identifiers. The id of a service consists of its project and its name. A run is one start of one service.
// Rules: `docs/behaviour.md`, "Names and places", "Services".

declare const brand: unique symbol;

/**
 * A `T` that only the functions of this folder create, so that ids of different kinds and plain values cannot
 * be mixed up.
 */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The key of a project in `projects` of a manifest, or `__loose__`. */
export type ProjectId = Branded<string, 'ProjectId'>;
/** `<project>/<service>`, unique in one supervisor. */
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
 * Brands a project id without a check: names are checked against `NAME_PATTERN` when they enter the program.
 */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** Returns `<project>/<name>`; for a loose service `__loose__/<name>`. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Brands a run number, which counts from 1 for each service and is never used again. */
export const runId = (run: number): RunId => run as RunId;
/** Prefix of the request ids that the supervisor itself uses at its start; no client reads the answers. */
export const UNHEARD = 'supervise:';

/**
 * Brands a request id, which must be unique among pending requests. Requests by signal have ids from
 * `signalRequest`.
 */
export const requestId = (id: string): RequestId => id as RequestId;

/** Returns the project of an id: `shop` of `shop/web`. */
export const projectOf = (id: ServiceId): ProjectId => id.slice(0, id.indexOf('/')) as ProjectId;
/** Returns the name of an id: `web` of `shop/web`. */
export const nameOf = (id: ServiceId): string => id.slice(id.indexOf('/') + 1);

/** Returns the id for display: the bare name of a loose service, otherwise `project/name`. */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
