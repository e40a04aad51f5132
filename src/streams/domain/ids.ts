// The names things go by. A service's id is its project and its name; a run is one incarnation of one service.

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

/** The bundle of all top-level services, of every registered manifest. */
export const LOOSE = '__loose__' as ProjectId;

/** What a project id and a service name look like (ERR0213 otherwise). */
export const NAME_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** Checks nothing: `NAME_PATTERN` is for where names come in. */
export const projectId = (id: string): ProjectId => id as ProjectId;
/** `<project>/<name>`; of a loose service `__loose__/<name>`. */
export const serviceId = (project: ProjectId, name: string): ServiceId => `${project}/${name}` as ServiceId;
/** Counted from 1 for each service, and never used again. */
export const runId = (run: number): RunId => run as RunId;
/** How the id of a request begins that came with the supervisor itself: nobody reads its answer. */
export const UNHEARD = 'supervise:';

/** Unique among those that are not answered yet; signals have their own (`signalRequest`). */
export const requestId = (id: string): RequestId => id as RequestId;

/** `shop` of `shop/web`. */
export const projectOf = (id: ServiceId): ProjectId => id.slice(0, id.indexOf('/')) as ProjectId;
/** `web` of `shop/web`. */
export const nameOf = (id: ServiceId): string => id.slice(id.indexOf('/') + 1);

/** How a person writes the service: its bare name in the loose bundle, `project/name` elsewhere. */
export const shownId = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);
