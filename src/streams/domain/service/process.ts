// Identifies a process reliably, although pids are reused.

/** A process by pid and start time, since pids are reused. `startTicks`: field 22 of `/proc/<pid>/stat`. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /** The uid at its start; only for a main process that may have another uid than the supervisor. */
  readonly uid?: number;
}

/** Matches no process: its pid is above the largest. Replaces recorded processes after a reboot. */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/** The pair of FIFOs for the output of a run. During a rollout each of the two runs uses one. */
export type FifoPair = 0 | 1;

/** True if both references mean the same process. */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** Returns a key for maps and sets: `<pid>:<start tick>`. */
export const processKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
