// Identifies a process reliably, although pids are reused and the supervisor may crash or be upgraded.

/** Identifies a process by pid and start time; `startTicks` is field 22 of `/proc/<pid>/stat`. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The uid the process was started with. Present only for the main process of a run whose uid may differ
   * from the supervisor's.
   */
  readonly uid?: number;
}

/**
 * A reference that matches no process and no descendant. It replaces a recorded process after a reboot; its
 * pid is one above the largest that the kernel assigns.
 */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/**
 * Which of a service's two pairs of FIFOs a run writes into. During a rollout two runs exist, each with its
 * own pair.
 */
export type FifoPair = 0 | 1;

/**
 * True if both refer to the same process. A pid can be reused; the combination of pid and start time cannot.
 */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** Returns the process as a key for maps and sets: `<pid>:<start tick>`. */
export const processKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
