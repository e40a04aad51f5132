// Where a command was typed; that directory may be removed by then.
import { readlinkSync } from 'node:fs';
import { isMissing } from '../os/errno.ts';

/**
 * Returns the working directory. A removed one has the kernel's name (`/srv/x (deleted)`), at which no file
 * is found. The process then changes to `/`, since much of Node fails in a removed directory.
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
