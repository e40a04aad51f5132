// The live view: everything once, then at most five updates a second. If a service changed several times in
// between, only its current state is sent. A viewer that does not keep up misses updates, and gets everything
// again once it has caught up: nothing is buffered for it.
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
import { declaredOf } from '../rollout/two-runs.ts';
import type { Selection } from '../domain/command.ts';
import { nameOf, projectOf, type ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { isSelected } from '../selection/match.ts';
import type { View } from '../wire/protocol.ts';
import type { Snapshot } from './state-snapshot.ts';
import { allProjects, shownProjects } from './status-document.ts';

const LIVE_INTERVAL_MS = 200;
/** Poll interval: has the viewer caught up? */
const CAUGHT_UP_MS = 200;

interface DeltaPorts {
  /** Services that changed or left, in any order. */
  readonly changed$: Observable<ServiceId>;
  readonly read: () => Snapshot;
  readonly selection: Selection;
  readonly scheduler?: SchedulerLike;
}

interface LivePorts extends Omit<DeltaPorts, 'changed$'> {
  /** `deltas` of the same selection; several viewers may share it. */
  readonly delta$: Observable<View>;
  /** Whether the viewer has received what was sent. */
  readonly keepsUp: () => boolean;
}

/** Emits changes, the first one at once. Completes with `changed$`. */
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

/** Emits the views for one viewer. Completes with `delta$`. */
export function live(ports: LivePorts): Observable<View> {
  const all$ = defer(() => of(everything(ports)));
  const anew$ = interval(CAUGHT_UP_MS, ports.scheduler).pipe(
    filter(ports.keepsUp),
    take(1),
    map(() => everything(ports)),
  );
  return concat(all$, ports.delta$.pipe(exhaustMap((view) => (ports.keepsUp() ? of(view) : anew$))));
}

type ViewPorts = Pick<DeltaPorts, 'read' | 'selection'>;

const everything = ({ read, selection }: ViewPorts): View => ({
  full: true,
  projects: allProjects({ ...read(), selection }),
  gone: [],
});

const delta = ({ read, selection }: ViewPorts, ids: ReadonlySet<ServiceId>): View => {
  const snapshot = read();
  const services = snapshot.services.filter((service) => isAffected(service, ids));
  return {
    full: false,
    projects: shownProjects({ ...snapshot, services, selection }),
    gone: [...ids].filter((id) => snapshot.byId(id) === undefined && mayBeSelected(id, selection)),
  };
};

const isWaiting = ({ actual, rollout }: Service): boolean =>
  actual.tag === 'waiting' || rollout?.other.actual.tag === 'waiting';

/**
 * True if it changed, or it or its candidate waits for a changed service: the reason shows how far that is.
 */
const isAffected = (service: Service, ids: ReadonlySet<ServiceId>): boolean =>
  ids.has(service.spec.id) ||
  (isWaiting(service) && declaredOf(service).dependsOn.some(({ service: needed }) => ids.has(needed)));

/** The manifest of a service that has left is not known any more. */
const mayBeSelected = (id: ServiceId, selection: Selection): boolean =>
  isSelected({ id, name: nameOf(id), project: projectOf(id) }, selection);
