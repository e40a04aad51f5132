// How a process ended. Unknown is never success.

/**
 * The status of an ended process: `code` (0–255), `signal` (its name), or `unknown` (not our child, or not
 * reported).
 */
export type ExitStatus =
  | ({ readonly tag: 'code'; readonly code: number } & Cause)
  | ({ readonly tag: 'signal'; readonly signal: string } & Cause)
  | ({ readonly tag: 'unknown' } & Cause);

interface Cause {
  /** The kernel killed a process of it because its cgroup was out of memory. */
  readonly outOfMemory?: true;
}

/** True for exit status 0 only; an unknown end is no success. */
export const isSuccess = (status: ExitStatus): boolean => status.tag === 'code' && status.code === 0;

/** Returns `exited with 1`, `killed by SIGKILL` or `ended, its exit status is unknown`. */
export const exitText = (status: ExitStatus): string =>
  status.outOfMemory === true
    ? `${plainText(status)}: out of memory (limits.cgroup.memory_max)`
    : plainText(status);

const plainText = (status: ExitStatus): string => {
  switch (status.tag) {
    case 'code':
      return `exited with ${status.code}`;
    case 'signal':
      return `killed by ${status.signal}`;
    case 'unknown':
      return 'ended, its exit status is unknown';
  }
};
