// Identifies a process reliably, although pids are reused and the supervisor may crash or be upgraded.

/**
 * Identifies a process by pid and start time, because pids are reused; `startTicks` is field 22 of
 * `/proc/<pid>/stat`.
 */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The uid with which the process was started. Present only for a run's main process whose uid may differ
   * from the supervisor's.
   */
  readonly uid?: number;
}

/**
 * Matches no process. After a reboot it replaces a recorded process; its pid is one above the largest that
 * the kernel assigns.
 */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/**
 * Which of a service's two FIFO pairs a run writes its output into. During a rollout there are two runs, and
 * each uses one pair.
 */
export type FifoPair = 0 | 1;

/**
 * True if both references mean the same process. A pid can be reused, but not together with its start time.
 */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** Returns a key for maps and sets that identifies the process: `<pid>:<start tick>`. */
export const processKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
