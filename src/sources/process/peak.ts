// How much memory a scheduled run has taken at the most: the kernel's own high-water mark of its leader (`VmHWM`), looked
// at soon and then each second, for the history of runs (`spec/gaps` §5). What a run takes after the last look is not seen.
import { readFileSync } from 'node:fs';
import { defer, distinctUntilChanged, expand, filter, map, of, scan, type Observable } from 'rxjs';
import type { Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/process.ts';
import { ms, seconds, type Ms } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import { statReader } from './proc-stat.ts';

const FIRST_PAUSE = ms(20);
const LONGEST_PAUSE = seconds(1);
const UNIT = 1024;

export const peaks: Source<'peak'> = ({ service, run, process }) => {
  const stat = statReader();
  return looks().pipe(
    map(() => peakOf(process, stat)),
    filter((peakBytes) => peakBytes !== undefined),
    scan((most, peakBytes) => Math.max(most, peakBytes), 0),
    distinctUntilChanged(),
    map((peakBytes) => ({ type: 'peaked', service, run, peakBytes })),
  );
};

/** The pause doubles from look to look. */
function looks(): Observable<Ms> {
  const next = (pause: Ms): Ms => ms(Math.min(pause * 2, LONGEST_PAUSE));
  return of(FIRST_PAUSE).pipe(expand((pause) => defer(() => after(pause)).pipe(map(() => next(pause)))));
}

/** In bytes; `undefined` once the process is over. */
const peakOf = (process: ProcessRef, stat: ReturnType<typeof statReader>): number | undefined => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process.pid}/status`, 'latin1')) ?? [];
    const present = stat(process.pid)?.startTicks === process.startTicks;
    return kib === undefined || !present ? undefined : Number(kib) * UNIT;
  } catch {
    return undefined;
  }
};
