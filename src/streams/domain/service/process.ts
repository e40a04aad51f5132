// Identifies a process across pid reuse, a crash of the supervisor and an upgrade.

/** A process as the kernel knows it: `startTicks` is field 22 of `/proc/<pid>/stat`. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The user the process was started as; only for a run's main process, if it may differ from the
   * supervisor's.
   */
  readonly uid?: number;
}

/**
 * Replaces a recorded process after a reboot. Its pid is one above the largest the kernel assigns, so it
 * matches no process and no descendant.
 */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/** The pair of FIFOs of a run. Two runs of one service may exist at once, each with its own pair. */
export type FifoPair = 0 | 1;

/** True for the same process. The pid alone may be reused; pid and start time together are not. */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** The process as a key of maps and sets: `<pid>:<start tick>`. */
export const processKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
