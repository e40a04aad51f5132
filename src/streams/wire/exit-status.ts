// The exit statuses of `sup` (`docs/commands.md`, "Exit status").

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `plan` only: `apply` would make changes. */
  changes: 2,
  /** `doctor` only: the command found a problem. */
  sick: 2,
  /** `status`, `inspect`, `why` only: no supervisor answers, and the state files were shown instead. */
  offline: 3,
  /** `wait` only: the time limit of the command was reached. timeout(1) uses the same exit status. */
  timedOut: 124,
  /** `supervise` only: another supervisor holds the data directory. */
  held: 3,
  /** The supervisor process only: an internal failure, after which its guardian restarts it. */
  broken: 70,
  /** A second Ctrl-C ended the command. Shells use the same exit status for a process killed by SIGINT. */
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;
export type CommandStatus = number;
