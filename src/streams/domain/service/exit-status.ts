// The exit status of a process. An unknown exit status never counts as success.
// Rules: `docs/behaviour.md`, "Restarting".
import type { ServiceSpec } from '../declared/spec.ts';

/**
 * How a process ended. `code`: with an exit status from 0 to 255. `signal`: killed by this signal. `unknown`:
 * the supervisor does not know how.
 */
export type ExitStatus =
  | ({ readonly tag: 'code'; readonly code: number } & Cause)
  | ({ readonly tag: 'signal'; readonly signal: string } & Cause)
  | ({ readonly tag: 'unknown' } & Cause);

interface Cause {
  /** Present if the declaration lists this status in `success_exit_codes`. */
  readonly listed?: true;
  /** Present if Linux killed a process of the run because its cgroup was out of memory. */
  readonly outOfMemory?: true;
}

/** True for exit status 0 and for a status that the declaration lists. */
export const isSuccess = (status: ExitStatus): boolean =>
  status.listed === true || (status.tag === 'code' && status.code === 0);

const isListed = (status: ExitStatus, listed: readonly (number | string)[]): boolean => {
  if (status.outOfMemory === true || status.tag === 'unknown') return false;
  return listed.includes(status.tag === 'code' ? status.code : status.signal);
};

/** Returns the exit status of a run. Sets `listed` if the declaration counts this status as a success. */
export const withListed = (
  { successExitCodes = [] }: Pick<ServiceSpec, 'successExitCodes'>,
  status: ExitStatus,
): ExitStatus => (isListed(status, successExitCodes) ? { ...status, listed: true } : status);

/** Returns the exit status in words: `exited with 1`, `killed by SIGKILL`. */
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
