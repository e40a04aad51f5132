// Writes the state of each project and the list of registered manifests to disk.
// Rules: `docs/behaviour.md`, "Saved state".
import {
  catchError,
  distinctUntilChanged,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  type Observable,
} from 'rxjs';
import type { RegistryWriter } from '../../sinks/store/registry-writer.ts';
import type { StateWriter } from '../../sinks/store/save-changes.ts';
import type { ProjectId } from '../../streams/domain/ids.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { Derived } from '../../streams/kernel/after-step/step-streams.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { ProjectSnapshot, Registered } from '../../streams/wire/state-files.ts';

/** The writers of the records, and the state that they write. */
export interface RecordWriters {
  readonly states: StateWriter;
  readonly registry: RegistryWriter;
  /** Returns the latest state. */
  readonly read: () => SupervisorState;
}

const servicesIn = ({ serviceTable }: SupervisorState, project: ProjectId): readonly Service[] =>
  servicesOf(serviceTable).filter(({ spec }) => spec.project === project);

/**
 * Returns a snapshot of a project. Its services are read only when it is written, so that no old state is
 * stored.
 */
const snapshotOf = (read: RecordWriters['read'], project: ProjectId): ProjectSnapshot => ({
  project,
  get services() {
    return servicesIn(read(), project);
  },
});

const registered = (state: SupervisorState): Registered => ({
  manifests: Object.keys(state.manifests),
  ...(state.readings && Object.keys(state.readings).length > 0 && { readings: state.readings }),
  ...(state.scales && Object.keys(state.scales).length > 0 && { scales: state.scales }),
  projects: [...projectsIn(state)],
});

const isAsRegistered = (one: SupervisorState, other: SupervisorState): boolean =>
  one.manifests === other.manifests &&
  one.readings === other.readings &&
  one.scales === other.scales &&
  one.projects === other.projects;

/**
 * While subscribed, writes changes of the state to disk, mostly within 10 ms. Changes by commands and by
 * rollouts are written at once, because the next supervisor must continue the command or rollout. Never
 * emits.
 */
export function keep(
  { service$, state$, commanded$, rollout$ }: Derived,
  ports: RecordWriters,
): Observable<never> {
  const registered$ = state$.pipe(
    distinctUntilChanged(isAsRegistered),
    map(() => registered(ports.read())),
  );
  const rolled$ = rollout$.pipe(map(({ after }) => new Set([after.spec.project])));
  const wanted$ = merge(commanded$, rolled$).pipe(
    mergeMap((projects) => keepNow(ports, projects)),
    ignoreElements(),
  );
  return merge(
    wanted$,
    ports.states.follow(service$, (project) => servicesIn(ports.read(), project)),
    ports.registry.follow(registered$),
  );
}

/** Writes the last records of a shutdown. Emits once when they are on disk, or fails. */
export function keepLast(ports: RecordWriters, projects: ReadonlySet<ProjectId>): Observable<unknown> {
  return forkJoin(writes(ports, projects, ports.states.conclude));
}

/** Returns all projects that have services. */
export const projectsIn = ({ serviceTable }: SupervisorState): ReadonlySet<ProjectId> =>
  new Set(servicesOf(serviceTable).map(({ spec }) => spec.project));

/**
 * Writes the state of these projects and the list of manifests. Emits once: a list with a sentence for each
 * failure.
 */
export function keepNow(
  ports: RecordWriters,
  projects: ReadonlySet<ProjectId>,
): Observable<readonly string[]> {
  const written = writes(ports, projects, ports.states.flush).map((write$) =>
    write$.pipe(
      map((): readonly string[] => []),
      catchError((error: unknown) => of([messageOf(error)])),
    ),
  );
  return forkJoin(written).pipe(map((all) => [...new Set(all.flat())]));
}

/** True if a file with recorded state or the list of manifests was removed from the disk. */
export const isRecordLost = ({ states, registry, read }: RecordWriters): boolean =>
  registry.isLost() || [...projectsIn(read())].some(states.isLost);

/**
 * Writes the state of all projects before it returns, but does not wait for fsync. If a write fails, still
 * tries the others, then throws the first error.
 */
export function recordNow(ports: RecordWriters): void {
  let failed: unknown;
  for (const project of projectsIn(ports.read()))
    ports.states
      .flush(snapshotOf(ports.read, project))
      .subscribe({ error: (error: unknown) => (failed ??= error) });
  if (failed !== undefined) throw failed instanceof Error ? failed : new Error(messageOf(failed));
}

const writes = (
  { registry, read }: RecordWriters,
  projects: ReadonlySet<ProjectId>,
  write: StateWriter['flush'],
): readonly Observable<unknown>[] => [
  registry.flush(registered(read())),
  ...[...projects].map((project) => write(snapshotOf(read, project))),
];
