// The peak memory of a scheduled run, for its history: the kernel's high-water mark of the leader (`VmHWM`).
// It is read soon after the start and then each second (`docs/behaviour.md`, "Schedules"). Later growth after
// the last read is not seen.
// Rules: `docs/behaviour.md`, "Schedules", "The last 50 runs".
import { defer, distinctUntilChanged, expand, filter, map, of, scan, type Observable } from 'rxjs';
import type { Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { ms, seconds, type Ms } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import { statOfProcess } from '../../os/proc/proc-stat.ts';
import { peakMemoryOf } from '../../os/proc/proc.ts';

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

/** Doubles the pause after each look. */
function looks(): Observable<Ms> {
  const next = (pause: Ms): Ms => ms(Math.min(pause * 2, LONGEST_PAUSE));
  return of(FIRST_PAUSE).pipe(expand((pause) => defer(() => after(pause)).pipe(map(() => next(pause)))));
}

/** Returns bytes, or `undefined` once the process has exited. */
const peakOf = (process: ProcessRef): number | undefined => {
  const peak = peakMemoryOf(process.pid);
  return statOfProcess(process) === undefined ? undefined : peak;
};
