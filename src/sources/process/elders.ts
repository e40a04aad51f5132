// Who was there before a leader was born is no descendant of it, and need not be looked at again: in a table of a thousand
// quiet processes the end of one run costs a look at the few that were born since it began.
import type { ProcStat } from '../../os/proc/stat-line.ts';

/** A pid is not given out again within so short a time, ms: the kernel would have to go through all of them. */
const TRUSTED_MS = 250;

interface Elders {
  /** Who is looked for was born at this tick or later. */
  readonly born: (startTicks: number) => void;
  /** Begins a look on behalf of all who asked since the last one. */
  readonly begin: () => (pid: number) => ProcStat | undefined;
  /** What that look has seen. */
  readonly seen: (processes: ReadonlyMap<number, ProcStat>) => void;
}

/** `now`: milliseconds of a clock that nobody sets. */
export const elders = (now: () => number = () => performance.now()): Elders => {
  let known: ReadonlyMap<number, ProcStat> = new Map();
  let knownAt = Number.NEGATIVE_INFINITY;
  let oldest = Number.POSITIVE_INFINITY;
  return {
    born: (startTicks) => {
      oldest = Math.min(oldest, startTicks);
    },
    begin: () => {
      const before = now() - knownAt > TRUSTED_MS ? undefined : known;
      const since = oldest;
      oldest = Number.POSITIVE_INFINITY;
      return (pid) => {
        const stat = before?.get(pid);
        return stat !== undefined && stat.startTicks < since ? stat : undefined;
      };
    },
    seen: (processes) => {
      known = processes;
      knownAt = now();
    },
  };
};
