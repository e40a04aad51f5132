// What is kept on disk: the state of every project and the list of registered manifests, newest first.
import { auditTime, distinctUntilChanged, groupBy, map, merge, mergeMap, type Observable } from 'rxjs';
import type { RegistryWriter } from '../../sinks/store/registry-writer.ts';
import type { StateWriter } from '../../sinks/store/state-writer.ts';
import { projectOf, type ProjectId } from '../../streams/domain/ids.ts';
import type { Derived } from '../../streams/kernel/derived.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { ProjectSnapshot } from '../../streams/wire/stored.ts';

export interface KeepPorts {
  readonly states: StateWriter;
  readonly registry: RegistryWriter;
  /** The latest state. */
  readonly read: () => SupervisorState;
}

/** A burst of changes of one project makes one snapshot. */
const BURST_MS = 10;

export const snapshotOf = (state: SupervisorState, project: ProjectId): ProjectSnapshot => ({
  project,
  services: servicesOf(state.roster).filter(({ spec }) => spec.project === project),
});

const registered = ({ manifests }: SupervisorState): readonly string[] => Object.keys(manifests);

export function keep({ service$, state$ }: Derived, ports: KeepPorts): Observable<never> {
  const snapshot$ = service$.pipe(
    groupBy(({ id }) => projectOf(id)),
    mergeMap((project$) =>
      project$.pipe(
        auditTime(BURST_MS),
        map(() => snapshotOf(ports.read(), project$.key)),
      ),
    ),
  );
  const manifests$ = state$.pipe(
    map(({ manifests }) => manifests),
    distinctUntilChanged(),
    map(() => registered(ports.read())),
  );
  return merge(ports.states.follow(snapshot$), ports.registry.follow(manifests$));
}

/** The last word, for an orderly end. */
export const keepLast = async ({ states, registry, read }: KeepPorts): Promise<void> => {
  const state = read();
  const projects = new Set(servicesOf(state.roster).map(({ spec }) => spec.project));
  await Promise.all([
    registry.flush(registered(state)),
    ...[...projects].map((project) => states.flush(snapshotOf(state, project))),
  ]);
};
