// What the number of an error is called.
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';

/** Those that Node's own calls never answer, `ENOEXEC` among them, its table of names does not have. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, errno]) => [errno, name]),
);

/** `EPERM` for 1. */
export const errnoName = (errno: number): string => {
  if (errno <= 0) return `errno ${errno}`;
  const name = getSystemErrorName(-errno);
  return name.startsWith('E') ? name : (NAMES.get(errno) ?? `errno ${errno}`);
};
