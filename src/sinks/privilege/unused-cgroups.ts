// Removes the cgroup of a service when it is empty. A new run, which needs it again, cancels a pending
// removal.
import {
  EMPTY,
  defer,
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
import type { Run } from '../../streams/domain/service/service-run.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { cgroupOf } from '../../streams/launch/cgroup-path.ts';
import { removeCgroup } from './cgroup.ts';

interface Changed {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

const LOOK_AGAIN_MS = 200;

const hasProcess = ({ actual }: Run): boolean => actual.tag === 'spawning' || 'process' in actual;

function removal(directory: string): Observable<never> {
  return defer(() => of(removeCgroup(directory))).pipe(
    repeat({ delay: LOOK_AGAIN_MS }),
    takeWhile((removed) => !removed),
    ignoreElements(),
  );
}

/** A present or former cgroup of a service. `isUsed`: a process may be in it. */
interface ServiceCgroup {
  readonly directory: string;
  readonly isUsed: boolean;
}

/**
 * Returns the cgroups of a service. During a rollout the two runs of the service may declare different
 * cgroups.
 */
const cgroupsOf = (service: Service): readonly ServiceCgroup[] => {
  const isUsed = new Map<string, boolean>();
  for (const run of runsOf(service)) {
    const directory = cgroupOf(run.spec);
    if (directory !== undefined) isUsed.set(directory, isUsed.get(directory) === true || hasProcess(run));
  }
  return [...isUsed].map(([directory, used]) => ({ directory, isUsed: used }));
};

/** Returns the present cgroups, and those cgroups of `last` that are no longer present, as unused. */
const cgroupsSince = (
  last: readonly ServiceCgroup[],
  present: readonly ServiceCgroup[],
): readonly ServiceCgroup[] => {
  const past = last.filter(({ directory }) => !present.some((one) => one.directory === directory));
  return [...past.map(({ directory }) => ({ directory, isUsed: false })), ...present];
};

/** Returns a function that reports the used and unused cgroups of each changed service. */
const follower = (): ((changed: Changed) => readonly ServiceCgroup[]) => {
  const last = new Map<ServiceId, readonly ServiceCgroup[]>();
  return ({ id, service }) => {
    const present = service === undefined ? [] : cgroupsOf(service);
    const cgroups = cgroupsSince(last.get(id) ?? [], present);
    if (present.length === 0) last.delete(id);
    else last.set(id, present);
    return cgroups;
  };
};

/** Removes unused cgroups when services change. Only a privileged supervisor may subscribe. */
export function removeUnusedCgroups(changed$: Observable<Changed>): Observable<never> {
  return defer(() =>
    changed$.pipe(
      mergeMap(follower()),
      groupBy(({ directory }) => directory),
      mergeMap((own$) =>
        own$.pipe(switchMap(({ directory, isUsed }) => (isUsed ? EMPTY : removal(directory)))),
      ),
    ),
  );
}
