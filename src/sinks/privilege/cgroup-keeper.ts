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
  scan,
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

/** Where the cgroup of a service is or was, and whether anybody of it is to be in there. */
interface Kept {
  readonly directory?: string | undefined;
  readonly isUsed: boolean;
}

/** Who has left tells no more where it was. */
const keptAfter = ({ directory }: Kept, { service }: Changed): Kept =>
  service === undefined
    ? { directory, isUsed: false }
    : { directory: cgroupOf(service.spec), isUsed: hasProcess(service) };

/** Follows the services of a privileged supervisor. */
export function keepCgroups(changed$: Observable<Changed>): Observable<never> {
  return changed$.pipe(
    filter(({ service }) => service === undefined || cgroupOf(service.spec) !== undefined),
    groupBy(({ id }) => id),
    mergeMap((own$) =>
      own$.pipe(
        scan(keptAfter, { isUsed: false }),
        switchMap(({ directory, isUsed }) =>
          isUsed || directory === undefined ? EMPTY : removal(directory),
        ),
      ),
    ),
  );
}
