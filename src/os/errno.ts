// Error codes of the operating system. They distinguish "no such process" from "cannot be read". If an
// unreadable process table counted as empty, a running service would be reported as stopped.
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { messageOf } from '../streams/domain/errors/thrown.ts';

/** Returns the name of an error number that is missing in the table of Node, such as `ENOEXEC`. */
const otherName = (number: number): string | undefined =>
  Object.entries(constants.errno).find(([, errno]) => errno === number)?.[0];

/** Returns the name of an error number: `EPERM` for 1. */
export const errnoName = (errno: number): string => {
  if (errno <= 0) return `errno ${errno}`;
  const name = getSystemErrorName(-errno);
  return name.startsWith('E') ? name : (otherName(errno) ?? `errno ${errno}`);
};

/** Returns the code of a system error; `undefined` for any other value. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** Returns the code of a system error. For any other value, returns its message. */
export const refusalText = (thrown: unknown): string => errnoOf(thrown) ?? messageOf(thrown);

/** True if the error says that the file does not exist. */
export const isMissing = (thrown: unknown): boolean => errnoOf(thrown) === 'ENOENT';

/** True if the error says that the process ended before or while it was read. */
export const isGone = (thrown: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errnoOf(thrown) ?? '');

/** True if the error says that the reading end of a pipe or socket is closed. */
export const isReaderGone = (thrown: unknown): boolean => errnoOf(thrown) === 'EPIPE';

/** True if access is denied: the process or file belongs to another user or may not be read. */
export const isForbidden = (thrown: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(thrown) ?? '');

/** True if the error says that the process (`ulimit -n`) or the machine has no free descriptor. */
export const isOutOfDescriptors = (thrown: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes(errnoOf(thrown) ?? '');
