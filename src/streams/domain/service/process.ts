// Identifies a process by its pid and start time, because Linux reuses pids.

/** A process. `startTicks`: its start time, field 22 of `/proc/<pid>/stat`. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The uid that the process had when it started. Present only for a main process whose uid may differ from
   * that of the supervisor.
   */
  readonly uid?: number;
}

/**
 * A reference that matches no process, because its pid is above the highest possible pid. It replaces
 * recorded processes after a reboot.
 */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/** Which FIFO pair receives the output of a run. During a rollout the two runs use different pairs. */
export type FifoPair = 0 | 1;

/** True if both references mean the same process. */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** Returns a key for maps and sets: `<pid>:<start tick>`. */
export const processKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
