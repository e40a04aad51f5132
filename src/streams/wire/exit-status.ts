// What `sup` ends with (`docs/commands.md`, "Exit status").

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `plan` only: there is something to do. */
  changes: 2,
  /** `doctor` only: something is wrong. */
  sick: 2,
  /** `status`, `inspect`, `why`: no supervisor answers, persisted state was shown. */
  offline: 3,
  /** `wait` only: the time is over. What `timeout` of other systems ends with. */
  timedOut: 124,
  /** `supervise` only: another supervisor holds the data directory. */
  held: 3,
  /** The supervisor only: a part of it broke. Its guardian brings it back. */
  broken: 70,
  /** Left with a second Ctrl-C: what a process killed by SIGINT is said to exit with. */
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;
export type ExitStatus = number;
