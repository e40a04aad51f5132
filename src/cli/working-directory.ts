// Where a command was typed, which may be gone by then.
import { readlinkSync } from 'node:fs';
import { isMissing } from '../os/errno.ts';

/**
 * The working directory. One that is gone is called as the kernel calls it (`/srv/x (deleted)`): nothing is found there,
 * and what a command asks for there is missed by that name. It is left, since much of Node does not work in it.
 */
export const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const name = readlinkSync('/proc/self/cwd');
    process.chdir('/');
    return name;
  }
};
