// Measures memory:
// - of a service and its children: the sum over their trees, read once a second (`docs/manifest.md`,
//   "spawn").
// - of a run with `max_memory`: the resident memory, and if that is over the limit, the proportional memory.
// - the peak of a scheduled run: the leader's high-water mark (`VmHWM`), read soon after the start, then each
//   second (`docs/behaviour.md`, "Schedules").
// Rules: `docs/behaviour.md`, "Schedules", "The last 50 runs"; `docs/behaviour.md`, "Restarting".
import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  forkJoin,
  map,
  type Observable,
  of,
  scan,
  timer,
} from 'rxjs';
import { countersReader } from '../../os/proc/counters.ts';
import { machineUnits, momentOf } from '../../os/proc/machine-facts.ts';
import { peakMemoryOf, proportionalMemoryOf } from '../../os/proc/process-facts.ts';
import { statOfProcess } from '../../os/proc/process-stat.ts';
import type { ProcessScanner, Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { ms, type Ms, seconds } from '../../streams/domain/time.ts';
import type { MemoryWatch } from '../../streams/domain/watch.ts';
import { after } from '../../streams/operators/long-timer.ts';

const PAUSE_MS = 1_000;
/** The smallest change of memory that is reported, as a fraction of the last reported value. */
const NEWS = 0.01;
/**
 * The age from which on the memory of a process counts, ms. Otherwise the short-lived `sup spawn` commands of
 * a service would count. The memory of a main process counts from its start.
 */
const COUNTED_AFTER_MS = 2_000;

export const memory = ({ scanner }: { readonly scanner: ProcessScanner }): Source<'memory'> => {
  const held = holding();
  return (watch) =>
    timer(0, PAUSE_MS).pipe(
      exhaustMap(() => members(scanner, watch)),
      map((all) => all.filter((process) => isMain(watch, process) || isSettled(process))),
      map((all) => all.reduce((sum, process) => sum + held(process), 0)),
      distinctUntilChanged((before, now) => now <= watch.limit && Math.abs(now - before) <= before * NEWS),
      map((bytes) => ({ type: 'weighed', service: watch.service, run: watch.run, bytes })),
    );
};

/** Emits the memory of a run while it is over the limit, and once when it is at or below the limit again. */
export const resident = ({ scanner }: { readonly scanner: ProcessScanner }): Source<'resident'> => {
  const held = holding();
  return ({ service, run, process, limit, every }) =>
    timer(0, every).pipe(
      exhaustMap(() => scanner.membersOf(service, run, process).pipe(catchError(() => EMPTY))),
      map((all) => {
        const bytes = sumOf(all, held);
        return bytes > limit ? sumOf(all, (one) => shareOf(one) ?? held(one)) : bytes;
      }),
      distinctUntilChanged((before, now) => before <= limit && now <= limit),
      map((bytes) => ({ type: 'measured', service, run, bytes })),
    );
};

const sumOf = (all: readonly ProcessRef[], bytesOf: (process: ProcessRef) => number): number =>
  all.reduce((sum, process) => sum + bytesOf(process), 0);

/** Returns the proportional memory of a process; `undefined` if it may not be read. */
const shareOf = ({ pid }: ProcessRef): number | undefined => proportionalMemoryOf(pid);

const isMain = ({ trees }: MemoryWatch, { pid }: ProcessRef): boolean =>
  trees.some(({ process }) => process.pid === pid);

const isSettled = ({ startTicks }: ProcessRef): boolean =>
  Date.now() - momentOf(startTicks) >= COUNTED_AFTER_MS;

/**
 * Returns a function that returns the memory of a process, bytes; 0 if it has exited, even if its pid is
 * reused.
 */
const holding = (): ((process: ProcessRef) => number) => {
  const { read: countersOf } = countersReader(0);
  const { pageBytes } = machineUnits();
  return ({ pid, startTicks }) => {
    const counters = countersOf(pid);
    return counters?.startTicks === startTicks ? counters.rssPages * pageBytes : 0;
  };
};

/** Emits the processes of all trees. Completes without a value if the process table cannot be read. */
function members(
  scanner: ProcessScanner,
  { service, trees }: MemoryWatch,
): Observable<readonly ProcessRef[]> {
  return forkJoin(trees.map(({ run, process }) => scanner.membersOf(service, run, process))).pipe(
    map((each) => each.flat()),
    catchError(() => EMPTY),
  );
}

const FIRST_PAUSE = ms(20);
const LONGEST_PAUSE = seconds(1);

export const peaks: Source<'peak'> = ({ service, run, process }) =>
  looks().pipe(
    map(() => peakOf(process)),
    filter((peakBytes) => peakBytes !== undefined),
    scan((most, peakBytes) => Math.max(most, peakBytes), 0),
    distinctUntilChanged(),
    map((peakBytes) => ({ type: 'peaked', service, run, peakBytes })),
  );

/** Emits when the peak must be read. The pauses between the emissions double from 20 ms up to a second. */
function looks(): Observable<Ms> {
  const next = (pause: Ms): Ms => ms(Math.min(pause * 2, LONGEST_PAUSE));
  return of(FIRST_PAUSE).pipe(expand((pause) => defer(() => after(pause)).pipe(map(() => next(pause)))));
}

/** Returns the peak memory of the process, bytes; `undefined` if it has exited. */
const peakOf = (process: ProcessRef): number | undefined => {
  const peak = peakMemoryOf(process.pid);
  return statOfProcess(process) === undefined ? undefined : peak;
};
