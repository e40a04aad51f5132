// The live view of one client: everything once, then ten times a second at the most what has changed since. Of a service
// that changed several times in between, only what it is now is told.
import {
  auditTime,
  buffer,
  concat,
  connect,
  defer,
  filter,
  map,
  of,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import type { Selection } from '../domain/command.ts';
import { nameOf, projectOf, type ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { isSelected } from '../selection/is-selected.ts';
import type { View } from '../wire/protocol.ts';
import type { Snapshot } from './snapshot.ts';
import { allProjects, shownProjects } from './status.ts';

const LIVE_INTERVAL_MS = 100;

export interface LivePorts {
  /** Services that changed or left, in whatever order. */
  readonly changed$: Observable<ServiceId>;
  readonly read: () => Snapshot;
  readonly selection: Selection;
  readonly scheduler?: SchedulerLike;
}

/** Ends with `changed$`. */
export function live(ports: LivePorts): Observable<View> {
  return concat(
    defer(() => of(everything(ports))),
    ports.changed$.pipe(
      connect((id$) => id$.pipe(buffer(id$.pipe(auditTime(LIVE_INTERVAL_MS, ports.scheduler))))),
      map((ids) => delta(ports, new Set(ids))),
      filter(({ projects, gone }) => projects.length > 0 || gone.length > 0),
    ),
  );
}

const everything = ({ read, selection }: LivePorts): View => ({
  full: true,
  projects: allProjects({ ...read(), selection }),
  gone: [],
});

const delta = ({ read, selection }: LivePorts, ids: ReadonlySet<ServiceId>): View => {
  const snapshot = read();
  const services = snapshot.services.filter((service) => isAffected(service, ids));
  return {
    full: false,
    projects: shownProjects({ ...snapshot, services, selection }),
    gone: [...ids].filter((id) => snapshot.byId(id) === undefined && mayBeSelected(id, selection)),
  };
};

/** It changed, or it waits for one that did: the reason says how far that one is. */
const isAffected = ({ spec, actual }: Service, ids: ReadonlySet<ServiceId>): boolean =>
  ids.has(spec.id) || (actual.tag === 'waiting' && spec.dependsOn.some(({ service }) => ids.has(service)));

/** Which manifest declared a service that is gone is not known any more. */
const mayBeSelected = (id: ServiceId, selection: Selection): boolean =>
  isSelected({ id, name: nameOf(id), project: projectOf(id) }, selection);
