// The name of an error number.
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';

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
