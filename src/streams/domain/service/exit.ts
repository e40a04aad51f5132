// How a process ended. What is not known is never success.

/** The status of an ended process: `code` (0–255), `signal` (its name), or `unknown` (not our child, no one told). */
export type ExitStatus =
  | ({ readonly tag: 'code'; readonly code: number } & Cause)
  | ({ readonly tag: 'signal'; readonly signal: string } & Cause)
  | ({ readonly tag: 'unknown' } & Cause);

interface Cause {
  /** The kernel killed something of it, because its cgroup had no more memory to give. */
  readonly outOfMemory?: true;
}

/** Exit status 0 and nothing else: an end that nobody saw is none. */
export const isSuccess = (status: ExitStatus): boolean => status.tag === 'code' && status.code === 0;

/** `exited with 1`, `killed by SIGKILL`, `ended, its exit status is unknown`. */
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
