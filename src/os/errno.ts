// Error codes of the operating system (`ENOENT`, `EACCES`, …) and their numbers. They tell "no such process"
// from "cannot look". A process table that cannot be read (too many open files, say) must not count as empty:
// a service would count as stopped while it runs.
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { messageOf } from '../streams/domain/errors/thrown.ts';

/** Node's table lacks the errors that its own calls never return, such as `ENOEXEC`. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, errno]) => [errno, name]),
);

/** `EPERM` for 1. */
export const errnoName = (errno: number): string => {
  if (errno <= 0) return `errno ${errno}`;
  const name = getSystemErrorName(-errno);
  return name.startsWith('E') ? name : (NAMES.get(errno) ?? `errno ${errno}`);
};

/** The code of a system error; `undefined` for anything else. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** The code of a system error, else the message of what was thrown. */
export const refusalText = (thrown: unknown): string => errnoOf(thrown) ?? messageOf(thrown);

/** True if there is no such file. */
export const isMissing = (thrown: unknown): boolean => errnoOf(thrown) === 'ENOENT';

/** True if the process ended before or during the look. */
export const isGone = (thrown: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errnoOf(thrown) ?? '');

/** True if the reader of the output has closed it. */
export const isReaderGone = (thrown: unknown): boolean => errnoOf(thrown) === 'EPIPE';

/** True if the process belongs to another user, or may not be read. */
export const isForbidden = (thrown: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(thrown) ?? '');

/** True if the process (`ulimit -n`) or the machine has no descriptor left. */
export const isOutOfDescriptors = (thrown: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes(errnoOf(thrown) ?? '');
