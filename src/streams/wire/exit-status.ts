// The exit statuses of `sup` (`docs/commands.md`, "Exit status").

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Exit status of `plan`: `apply` would make changes. */
  changes: 2,
  /** Exit status of `doctor`: it found a problem. */
  sick: 2,
  /** Exit status of `status`, `inspect`, `why`: from state files, because no supervisor answers. */
  offline: 3,
  /** Exit status of `wait`: the time limit was reached, as with timeout(1). */
  timedOut: 124,
  /** Exit status of `supervise`: another supervisor holds the data directory. */
  held: 3,
  /** The supervisor process: an internal failure, after which its guardian restarts it. */
  broken: 70,
  /** A second Ctrl-C ended the command; shells use this status too. */
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;
export type CommandStatus = number;
