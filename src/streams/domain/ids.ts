// Identifiers. A service's id is its project and its name; a run is one incarnation of one service.
// Rules: `docs/behaviour.md`, "Names and places", "Services".

declare const brand: unique symbol;

/** A `T` that only the constructors of this folder make, so that ids and plain values never mix. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** A project's key in `projects`, or `__loose__`. */
export type ProjectId = Branded<string, 'ProjectId'>;
/** `<project>/<service>`: unique in one supervisor. */
export type ServiceId = Branded<string, 'ServiceId'>;
/** One incarnation of one service, counted from 1 per service, never reused. */
export type RunId = Branded<number, 'RunId'>;
/** One command from one client. */
export type RequestId = Branded<string, 'RequestId'>;

/** The project of all top-level services, of every registered manifest. */
export const LOOSE = '__loose__' as ProjectId;

/** The pattern for project ids and service names (ERR0213 otherwise). */
export const NAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** Brands a project id without a check: `NAME_PATTERN` is checked where names come in. */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** Returns `<project>/<name>`; for a loose service `__loose__/<name>`. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Brands a run number, which counts from 1 for each service and is never used again. */
export const runId = (run: number): RunId => run as RunId;
/** Prefix of the ids of the supervisor's own requests at its start: no client reads their answers. */
export const UNHEARD = 'supervise:';

/** Brands a request id, unique among pending requests. Signals have their own ids (`signalRequest`). */
export const requestId = (id: string): RequestId => id as RequestId;

/** Returns the project of an id: `shop` of `shop/web`. */
export const projectOf = (id: ServiceId): ProjectId => id.slice(0, id.indexOf('/')) as ProjectId;
/** Returns the name of an id: `web` of `shop/web`. */
export const nameOf = (id: ServiceId): string => id.slice(id.indexOf('/') + 1);

/** Returns the id for display: the bare name of a loose service, otherwise `project/name`. */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
