// What is kept on disk: the state of every project and the list of registered manifests, newest first.
import {
  auditTime,
  catchError,
  distinctUntilChanged,
  forkJoin,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  type Observable,
} from 'rxjs';
import type { RegistryWriter } from '../../sinks/store/registry-writer.ts';
import type { StateWriter } from '../../sinks/store/state-writer.ts';
import { projectOf, type ProjectId } from '../../streams/domain/ids.ts';
import type { Derived } from '../../streams/kernel/derived/derived.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { ProjectSnapshot } from '../../streams/wire/stored.ts';

/** Where the state is kept, and the state. */
export interface KeepPorts {
  readonly states: StateWriter;
  readonly registry: RegistryWriter;
  /** The latest state. */
  readonly read: () => SupervisorState;
}

/** A burst of changes of one project makes one snapshot. */
const BURST_MS = 10;

/** Read when it is written: a write that had to wait must not put back what is old by then. */
const snapshotOf = (read: KeepPorts['read'], project: ProjectId): ProjectSnapshot => ({
  project,
  get services() {
    return servicesOf(read().roster).filter(({ spec }) => spec.project === project);
  },
});

const registered = ({ manifests }: SupervisorState): readonly string[] => Object.keys(manifests);

/** Everything soon; what a person asked for and each step of a rollout at once: whoever comes next goes on with it. */
export function keep(
  { service$, state$, commanded$, rollout$ }: Derived,
  ports: KeepPorts,
): Observable<never> {
  const snapshot$ = service$.pipe(
    groupBy(({ id }) => projectOf(id)),
    mergeMap((project$) =>
      project$.pipe(
        auditTime(BURST_MS),
        map(() => snapshotOf(ports.read, project$.key)),
      ),
    ),
  );
  const manifests$ = state$.pipe(
    map(({ manifests }) => manifests),
    distinctUntilChanged(),
    map(() => registered(ports.read())),
  );
  const rolled$ = rollout$.pipe(map(({ after }) => new Set([after.spec.project])));
  const wanted$ = merge(commanded$, rolled$).pipe(
    mergeMap((projects) => keepNow(ports, projects)),
    ignoreElements(),
  );
  return merge(wanted$, ports.states.follow(snapshot$), ports.registry.follow(manifests$));
}

/** The last word, for an orderly end: emits once, when these projects are on disk; fails when they cannot be. */
export function keepLast(ports: KeepPorts, projects: ReadonlySet<ProjectId>): Observable<unknown> {
  return forkJoin(writes(ports, projects));
}

/** All projects that have services. */
export const projectsIn = ({ roster }: SupervisorState): ReadonlySet<ProjectId> =>
  new Set(servicesOf(roster).map(({ spec }) => spec.project));

/** Emits once, when these projects and the list of manifests are on disk as they are now, or cannot be. */
export function keepNow(ports: KeepPorts, projects: ReadonlySet<ProjectId>): Observable<unknown> {
  return forkJoin(writes(ports, projects).map((write$) => write$.pipe(catchError(() => of(undefined)))));
}

const writes = (
  { states, registry, read }: KeepPorts,
  projects: ReadonlySet<ProjectId>,
): readonly Observable<void>[] => [
  registry.flush(registered(read())),
  ...[...projects].map((project) => states.flush(snapshotOf(read, project))),
];
