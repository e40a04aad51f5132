// Which process, in words that survive pid reuse, a crash of the supervisor and an upgrade.

/** A process as the kernel knows it: `startTicks` is field 22 of `/proc/<pid>/stat`. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
  /** Of the main process of a run, where it may be another than the supervisor's: the user that it was started as. */
  readonly uid?: number;
}

/**
 * Stands where a process was on record before a reboot: one past the largest pid the kernel ever gives, started after
 * everything. Nobody is it, or descends from it.
 */
export const NO_PROCESS: ProcessRef = { pid: 4_194_304, startTicks: Number.MAX_SAFE_INTEGER };

/** Two runs of one service may exist at once, each with FIFOs of its own. */
export type Lane = 0 | 1;

/** The same pid alone may be somebody else's by now; together with the moment of its start it is not. */
export const sameProcess = (a: ProcessRef, b: ProcessRef): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;
