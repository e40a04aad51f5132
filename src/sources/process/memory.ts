// The memory of a service and its requested children: the sum over all processes of their trees, read once a
// second (`docs/manifest.md`, "spawn").
import {
  catchError,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  forkJoin,
  map,
  timer,
  type Observable,
} from 'rxjs';
import { countersReader } from '../../os/proc/proc-counters.ts';
import { machineUnits } from '../../os/proc/machine-units.ts';
import { momentOf } from '../../os/proc/moment.ts';
import type { Census, Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { MemoryWatch } from '../../streams/domain/watch.ts';

const PAUSE_MS = 1_000;
/** A smaller relative change is not reported. */
const NEWS = 0.01;
/**
 * `sup spawn` runs in its service's tree, takes as much memory as Node, and soon ends. Only a run's main
 * process counts at once.
 */
const COUNTED_AFTER_MS = 2_000;

export const memory = ({ census }: { readonly census: Census }): Source<'memory'> => {
  const held = holding();
  return (watch) =>
    timer(0, PAUSE_MS).pipe(
      exhaustMap(() => members(census, watch)),
      map((all) => all.filter((process) => isMain(watch, process) || isSettled(process))),
      map((all) => all.reduce((sum, process) => sum + held(process), 0)),
      distinctUntilChanged((before, now) => now <= watch.limit && Math.abs(now - before) <= before * NEWS),
      map((bytes) => ({ type: 'weighed', service: watch.service, run: watch.run, bytes })),
    );
};

const isMain = ({ trees }: MemoryWatch, { pid }: ProcessRef): boolean =>
  trees.some(({ process }) => process.pid === pid);

const isSettled = ({ startTicks }: ProcessRef): boolean =>
  Date.now() - momentOf(startTicks) >= COUNTED_AFTER_MS;

/** Returns 0 for a process that has exited or left its pid to another. */
const holding = (): ((process: ProcessRef) => number) => {
  const { read: countersOf } = countersReader(0);
  const { pageBytes } = machineUnits();
  return ({ pid, startTicks }) => {
    const counters = countersOf(pid);
    return counters?.startTicks === startTicks ? counters.rssPages * pageBytes : 0;
  };
};

/** If the table cannot be read, this look reports nothing. */
function members(census: Census, { service, trees }: MemoryWatch): Observable<readonly ProcessRef[]> {
  return forkJoin(trees.map(({ run, process }) => census.membersOf(service, run, process))).pipe(
    map((each) => each.flat()),
    catchError(() => EMPTY),
  );
}
