// Removes the cgroup of a unit once nobody is left in it. What comes up again in the meantime makes its own anew, so a
// removal that still waits is called off.
import {
  EMPTY,
  defer,
  filter,
  groupBy,
  ignoreElements,
  mergeMap,
  of,
  repeat,
  switchMap,
  takeWhile,
  type Observable,
} from 'rxjs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { cgroupOf } from '../../streams/launch/cgroup-path.ts';
import { removeCgroup } from './cgroup.ts';

interface Changed {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

const LOOK_AGAIN_MS = 200;

const hasProcess = ({ actual }: Service): boolean => actual.tag === 'spawning' || 'process' in actual;

function removal(directory: string): Observable<never> {
  return defer(() => of(removeCgroup(directory))).pipe(
    repeat({ delay: LOOK_AGAIN_MS }),
    takeWhile((removed) => !removed),
    ignoreElements(),
  );
}

function removalAfter({ service }: Changed): Observable<never> {
  const cgroup = service === undefined || hasProcess(service) ? undefined : cgroupOf(service.spec);
  return cgroup === undefined ? EMPTY : removal(cgroup);
}

/** Follows the services of a privileged supervisor. */
export function keepCgroups(changed$: Observable<Changed>): Observable<never> {
  return changed$.pipe(
    filter(({ service }) => service === undefined || cgroupOf(service.spec) !== undefined),
    groupBy(({ id }) => id),
    mergeMap((own$) => own$.pipe(switchMap(removalAfter))),
  );
}
