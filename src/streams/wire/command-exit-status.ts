// The exit statuses of `sup` (`docs/commands.md`, "Exit status").

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Exit status of `plan`: `apply` would make changes. */
  changes: 2,
  /** Exit status of `doctor`: it found a problem. */
  sick: 2,
  /**
   * Exit status of `status`, `inspect` and `why` if no supervisor runs, so that the output is from state
   * files.
   */
  offline: 3,
  /** Exit status of `wait` when its time limit was reached, as with timeout(1). */
  timedOut: 124,
  /** Exit status of `supervise`: another supervisor holds the data directory. */
  held: 3,
  /** Exit status of the supervisor process after an internal failure. Its guardian then restarts it. */
  broken: 70,
  /** Exit status after a second Ctrl-C ended the command. Shells use the same number. */
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;
export type CommandStatus = number;
