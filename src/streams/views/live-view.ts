// The live view sends all selected services first, and then at most five updates a second with the latest
// states. For a viewer that reads too slowly, no updates are buffered: it gets all services again when it has
// caught up.
import {
  buffer,
  concat,
  connect,
  defer,
  exhaustMap,
  filter,
  interval,
  map,
  of,
  take,
  throttleTime,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import { onInstances } from '../graph/graph.ts';
import { declaredOf } from '../rollout/two-runs.ts';
import type { Selection } from '../domain/command.ts';
import { nameOf, projectOf, type ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { isSelected } from '../selection/match.ts';
import type { View } from '../wire/protocol.ts';
import type { Snapshot } from './state-snapshot.ts';
import { allProjects, shownProjects } from './status-document.ts';

const LIVE_INTERVAL_MS = 200;
/** The time between two checks whether a slow viewer has caught up, ms. */
const CAUGHT_UP_MS = 200;

interface DeltaPorts {
  /** Emits the id of each service that was changed or removed, in any order. */
  readonly changed$: Observable<ServiceId>;
  readonly read: () => Snapshot;
  readonly selection: Selection;
  readonly scheduler?: SchedulerLike;
}

interface LivePorts extends Omit<DeltaPorts, 'changed$'> {
  /** The result of `deltas` for this selection. Several viewers may share this stream. */
  readonly delta$: Observable<View>;
  /** True if the viewer has read most of the sent data. */
  readonly keepsUp: () => boolean;
}

/**
 * Emits updates with the changed services. The first update comes without delay. Completes when `changed$`
 * completes.
 */
export function deltas(ports: DeltaPorts): Observable<View> {
  return ports.changed$.pipe(
    connect((id$) =>
      id$.pipe(
        buffer(id$.pipe(throttleTime(LIVE_INTERVAL_MS, ports.scheduler, { leading: true, trailing: true }))),
      ),
    ),
    map((ids) => delta(ports, new Set(ids))),
    filter(({ projects, gone }) => projects.length > 0 || gone.length > 0),
  );
}

/** Emits all services and then the updates, for one viewer. Completes when `delta$` completes. */
export function live(ports: LivePorts): Observable<View> {
  const all$ = defer(() => of(everything(ports)));
  const full$ = interval(CAUGHT_UP_MS, ports.scheduler).pipe(
    filter(ports.keepsUp),
    take(1),
    map(() => everything(ports)),
  );
  return concat(all$, ports.delta$.pipe(exhaustMap((view) => (ports.keepsUp() ? of(view) : full$))));
}

type ViewPorts = Pick<DeltaPorts, 'read' | 'selection'>;

const everything = ({ read, selection }: ViewPorts): View => ({
  full: true,
  projects: allProjects({ ...read(), selection }),
  gone: [],
});

const delta = ({ read, selection }: ViewPorts, ids: ReadonlySet<ServiceId>): View => {
  const snapshot = read();
  const services = snapshot.services.filter((service) => isAffected(service, ids, snapshot.byId));
  return {
    full: false,
    projects: shownProjects({ ...snapshot, services, selection }),
    gone: [...ids].filter((id) => snapshot.byId(id) === undefined && mayBeSelected(id, selection)),
  };
};

const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/**
 * True if the display of the service may have changed, because the service or one of the services that it
 * waits for has changed.
 */
const isAffected = (service: Service, ids: ReadonlySet<ServiceId>, byId: Snapshot['byId']): boolean =>
  ids.has(service.spec.id) ||
  (isWaiting(service) &&
    declaredOf(service)
      .dependsOn.flatMap((need) => onInstances(need, byId))
      .some(({ service: needed }) => ids.has(needed)));

/**
 * True if the removed service may have been selected. Its manifest is no longer known, and thus not compared.
 */
const mayBeSelected = (id: ServiceId, selection: Selection): boolean =>
  isSelected({ id, name: nameOf(id), project: projectOf(id) }, selection);
