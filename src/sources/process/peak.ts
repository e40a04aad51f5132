// How much memory a scheduled run has taken at the most: the kernel's own high-water mark of its leader (`VmHWM`),
// looked at soon and then each second, for the history of runs (`docs/behaviour.md`, "Schedules"). What a run takes
// after the last look is not seen.
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

/** The pause doubles from look to look. */
function looks(): Observable<Ms> {
  const next = (pause: Ms): Ms => ms(Math.min(pause * 2, LONGEST_PAUSE));
  return of(FIRST_PAUSE).pipe(expand((pause) => defer(() => after(pause)).pipe(map(() => next(pause)))));
}

/** In bytes; `undefined` once the process is over. */
const peakOf = (process: ProcessRef): number | undefined => {
  const peak = peakMemoryOf(process.pid);
  return statOfProcess(process) === undefined ? undefined : peak;
};
